internal import PairingStore

/// The access of this device to gateways, as the store of pairings has it at one moment. A value.
struct StoredAccess: Hashable, Sendable {
    let pairings: [StoredPairing]

    /// What gateways have revoked, and the user has not got back by pairing again.
    let revoked: [BinnedPairing]

    init(_ store: PairingStore) throws(StoreError) {
        pairings = try store.pairings()
        var revoked: [BinnedPairing] = []
        for item in try store.bin() {
            guard case .revoked = item.reason, try store.successor(of: item) == nil || !item.isWhole else { continue }
            revoked.append(item)
        }
        self.revoked = revoked
    }
}
