internal import DNSSD

/// The addresses of one host on one interface.
struct BrowsedHost {
    /// The addresses that are there.
    var addresses: Set<IPAddress> = []

    /// Those that the running questions have told of.
    var seen: [AddressFamily: Set<IPAddress>] = [:]

    /// The latest time at which the running questions end, once something has come.
    var ends: [AddressFamily: ContinuousClock.Instant] = [:]

    /// The families that have been asked for to the end.
    var asked: Set<AddressFamily> = []

    /// The time at which the host may be asked for again.
    var askAt: ContinuousClock.Instant?

    /// The instances that point to it.
    var instances: Set<ServiceInstance> = []
}

/// A host on an interface.
struct HostKey: Hashable, Sendable {
    let name: DomainName
    let interface: UInt32
}
