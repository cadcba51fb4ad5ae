internal import DNSSD

/// The target host of an SRV record as one link knows it: on another link, the same name may be another machine's.
struct HostName: Hashable {
    private let name: DomainName
    private let interface: UInt32

    /// The host of a sighting, if it is known.
    init?(_ sighting: Sighting) {
        guard let host = sighting.host else { return nil }
        self.name = host
        self.interface = sighting.path.interface.index
    }
}
