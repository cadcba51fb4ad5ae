/// The sources that announced a service, and the addresses of the service that are among them.
extension Sighting {
    /// The maximum number of sources that are kept, so that forged ones cannot fill memory.
    package static let maximumSources = 4

    /// The addresses of the service from which it was announced.
    package var firstHandAddresses: [IPAddress] {
        heardFrom.isEmpty ? [] : addresses.filter { heardFrom.contains($0) }
    }

    /// Adds a source to those of an SRV record.
    ///
    /// - Parameter isAddress: Returns whether a source is an address of the service's host. Such a source is not
    ///   dropped in favour of one that is not: somebody who sends from many forged addresses must not drive out the
    ///   genuine one.
    /// - Returns: Whether the source was added.
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

    /// Returns whether this sighting says nothing that the other one did not: it is the same, except perhaps for
    /// sources that are not addresses of its host or that are missing here.
    package func addsNothing(to other: Sighting) -> Bool {
        guard self != other else { return true }
        var same = self
        same.heardFrom = other.heardFrom
        return same == other && Set(firstHandAddresses).isSubset(of: other.firstHandAddresses)
    }

    /// Returns whether the other sighting has the same host and port.
    package func hasSameHostAndPort(as other: Sighting) -> Bool {
        port != nil && port == other.port && host == other.host
    }

    /// Adds the sources of an earlier sighting of the same host and port. When another backend reports the same service
    /// without sources, the service must not lose those that are already known.
    package mutating func keepSources(of other: Sighting) {
        guard !other.heardFrom.isEmpty, heardFrom != other.heardFrom, hasSameHostAndPort(as: other) else { return }
        var sources = other.heardFrom
        let addresses = addresses
        for source in heardFrom { Self.add(source, to: &sources) { addresses.contains($0) } }
        heardFrom = sources
    }
}
