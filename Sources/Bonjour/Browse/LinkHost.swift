internal import DNSSD

/// The addresses of one host on one interface.
struct LinkHost {
    /// The known addresses.
    var addresses: Set<IPAddress> = []

    /// The addresses that the running questions have reported so far, by family.
    var seen: [AddressFamily: Set<IPAddress>] = [:]

    /// The time at which a running question ends at the latest, by family; set when its first record comes.
    var ends: [AddressFamily: ContinuousClock.Instant] = [:]

    /// The families for which a question has run to its end.
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
