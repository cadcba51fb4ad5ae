/// The sources that told of a service, and those of its addresses that did so themselves.
extension Sighting {
    /// The maximum number of sources that are kept: forged ones must not fill memory.
    public static let maximumSources = 4

    /// The addresses that told of the service themselves.
    public var firstHandAddresses: [IPAddress] {
        heardFrom.isEmpty ? [] : addresses.filter { heardFrom.contains($0) }
    }

    /// Adds a source to those of one SRV record.
    ///
    /// - Parameter isAddress: Whether it is an address of the host. Such a source is not given up for one that is none: who
    ///   sends from many forged addresses must not drive out the one that counts.
    /// - Returns: Whether it is new.
    @discardableResult
    package static func add(
        _ source: IPAddress,
        to sources: inout [IPAddress],
        isAddress: (IPAddress) -> Bool
    ) -> Bool {
        guard !sources.contains(source) else { return false }
        if sources.count >= maximumSources {
            guard let victim = sources.firstIndex(where: { !isAddress($0) }) ?? (isAddress(source) ? 0 : nil) else {
                return false
            }
            sources.remove(at: victim)
        }
        sources.append(source)
        return true
    }

    /// Returns whether nothing is new to someone who knows the other sighting: this one is the same, except perhaps for
    /// sources that are no addresses of its host, or are gone.
    package func isNoNews(after other: Sighting) -> Bool {
        guard self != other else { return true }
        var same = self
        same.heardFrom = other.heardFrom
        return same == other && Set(firstHandAddresses).isSubset(of: other.firstHandAddresses)
    }

    /// Returns whether the other sighting leads to the same port of the same host.
    package func isAtSamePlace(as other: Sighting) -> Bool {
        port != nil && port == other.port && host == other.host
    }

    /// Takes over who told of it earlier, of the same port of the same host: another backend, which sees the same, does not
    /// make it hearsay.
    package mutating func keepSources(of other: Sighting) {
        guard !other.heardFrom.isEmpty, heardFrom != other.heardFrom, isAtSamePlace(as: other) else { return }
        var sources = other.heardFrom
        let addresses = addresses
        for source in heardFrom { Self.add(source, to: &sources) { addresses.contains($0) } }
        heardFrom = sources
    }
}
