/// An aspect of a service that can change while it is still the same one.
public enum ServiceAspect: String, Hashable, Sendable, CaseIterable, Comparable {
    case resolution
    case host
    case port
    case addresses
    case txt
    /// The paths, or the port or addresses that one of them leads to.
    case paths
    /// The ownership: whether this process, or this host, publishes the service.
    case ownership

    public static func < (lhs: ServiceAspect, rhs: ServiceAspect) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension DiscoveredService {
    /// Returns the aspects in which this service differs from an earlier value of itself.
    public func aspects(changedSince earlier: DiscoveredService) -> Set<ServiceAspect> {
        var aspects: Set<ServiceAspect> = []
        if resolution != earlier.resolution { aspects.insert(.resolution) }
        if host != earlier.host { aspects.insert(.host) }
        if port != earlier.port { aspects.insert(.port) }
        if addresses != earlier.addresses { aspects.insert(.addresses) }
        if txt != earlier.txt { aspects.insert(.txt) }
        if !leadsTheSameWay(as: earlier) { aspects.insert(.paths) }
        if isOurs != earlier.isOurs || isOwn != earlier.isOwn { aspects.insert(.ownership) }
        return aspects
    }

    /// Returns whether the same paths lead to the same ports and addresses.
    private func leadsTheSameWay(as earlier: DiscoveredService) -> Bool {
        sightings.count == earlier.sightings.count
            && sightings.allSatisfy { path, sighting in
                guard let before = earlier.sightings[path] else { return false }
                return sighting.port == before.port && sighting.addresses == before.addresses
            }
    }
}
