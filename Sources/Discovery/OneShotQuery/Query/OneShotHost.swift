internal import DNSSD

/// A host on one path, and what is known about it.
struct OneShotHost {
    /// The outcome of adding an address.
    enum Addition {
        case added
        case known
        case full
    }

    /// The addresses of the host, sorted, without duplicates.
    private(set) var addresses: [IPAddress] = []

    /// The addresses that have come since the check began; `nil` if no check is under way.
    private(set) var heard: Set<IPAddress>?

    /// The families of all addresses that have come since then, including addresses for which there was no room.
    private var heardFamilies: Set<AddressFamily> = []

    /// The addresses that did not come in the last check although others of their family did.
    private var missed: Set<IPAddress> = []

    /// The instances on the host.
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

    /// Begins a check: records from now on which addresses come.
    mutating func beginCheck() {
        heard = []
        heardFamilies = []
    }

    /// Ends a check: removes the addresses that did not come, in two checks in a row, although others of their family
    /// did. A host sends all its addresses of a family together, and answers of this kind are to be forgotten after ten
    /// seconds (RFC 6762 §6.7).
    ///
    /// - Returns: Whether any address was removed.
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
