internal import DNSSD

/// The state that a ``AvahiBrowseStateMachine`` keeps of one host.
struct BrowsedHost {
    /// The objects that watch its addresses, by family; empty while there is no daemon.
    var browses: [AddressFamily: ObjectID] = [:]

    /// The families for which the daemon has reported what its cache held.
    var reported: Set<AddressFamily> = []

    /// Its addresses, by the path on which they were reported. Each path has room for 32, more than a host has on one
    /// link.
    var addresses: [AvahiPath: RecordSet<IPAddress>] = [:]

    /// The instances whose SRV records name it.
    var instances: Set<ServiceInstance> = []

    /// Indicates whether the daemon has reported all the addresses that it knew.
    var isWhole: Bool { reported.count == AddressFamily.allCases.count }

    /// Marks everything as unconfirmed, since the daemon is gone.
    mutating func doubt() {
        browses = [:]
        reported = []
        for key in addresses.keys { addresses[key]?.doubt() }
    }

    /// Removes the addresses that have not been confirmed.
    ///
    /// - Returns: Whether anything changed.
    mutating func dropUnconfirmed() -> Bool {
        var isChanged = false
        for key in addresses.keys where addresses[key]?.dropUnconfirmed() == true { isChanged = true }
        return isChanged
    }
}
