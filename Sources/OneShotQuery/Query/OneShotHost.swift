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

    /// Those of its addresses that have come since the check began; `nil` while there is none.
    private(set) var heard: Set<IPAddress>?

    /// The families of all addresses that have come since then, those included for which there was no room.
    private var heardFamilies: Set<AddressFamily> = []

    /// The addresses that were not among those of their family in the last check.
    private var missed: Set<IPAddress> = []

    /// The instances that are on it.
    var instances: Set<DomainName> = []

    /// Adds an address, if there are fewer of its family than the limit.
    mutating func add(_ address: IPAddress, limit: Int) -> Addition {
        heardFamilies.insert(address.family)
        guard !addresses.contains(address) else {
            heard?.insert(address)
            return .known
        }
        guard addresses.count(where: { $0.family == address.family }) < limit else { return .full }
        heard?.insert(address)
        addresses.insert(address, at: addresses.firstIndex { address < $0 } ?? addresses.endIndex)
        return .added
    }

    /// Begins to note which addresses come.
    mutating func beginCheck() {
        heard = []
        heardFamilies = []
    }

    /// Lets go of the addresses that others of their family were told of without, in two checks in a row: what the host has
    /// of a family is told together, and what is told is to be forgotten after ten seconds (RFC 6762 §6.7).
    ///
    /// - Returns: Whether there were any.
    mutating func endCheck() -> Bool {
        guard let heard else { return false }
        self.heard = nil
        let absent = Set(addresses.filter { heardFamilies.contains($0.family) && !heard.contains($0) })
        let gone = absent.intersection(missed)
        missed = absent.subtracting(gone)
        addresses.removeAll { gone.contains($0) }
        return !gone.isEmpty
    }
}
