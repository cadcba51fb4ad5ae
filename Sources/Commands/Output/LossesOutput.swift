internal import DNSSD

/// The packets and entries that were lost, in JSON.
struct LossesOutput: Encodable, Hashable {
    let packets: Int
    let entries: Int

    init(_ losses: BackendLosses) {
        self.packets = losses.packets
        self.entries = losses.entries
    }
}
