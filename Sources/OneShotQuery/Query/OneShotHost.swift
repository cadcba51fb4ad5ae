internal import DNSSD

/// A host on one path, with what is known of it.
struct OneShotHost {
    /// The outcome of adding an address.
    enum Addition {
        case added
        case known
        case full
    }

    /// Its addresses, sorted, each once.
    private(set) var addresses: [IPAddress] = []

    /// The instances that are on it.
    var instances: Set<DomainName> = []

    /// Adds an address, if there are fewer of its family than the limit.
    mutating func add(_ address: IPAddress, limit: Int) -> Addition {
        guard !addresses.contains(address) else { return .known }
        guard addresses.count(where: { $0.family == address.family }) < limit else { return .full }
        addresses.insert(address, at: addresses.firstIndex { address < $0 } ?? addresses.endIndex)
        return .added
    }
}
