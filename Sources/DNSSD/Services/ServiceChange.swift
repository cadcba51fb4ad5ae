/// A change in the set of services that are present.
public enum ServiceChange: Hashable, Sendable {
    /// The service is new; it is resolved, or resolving it has failed.
    case found(DiscoveredService)

    /// The service is still the same instance, but the given aspects of it have changed.
    case changed(DiscoveredService, Set<ServiceAspect>)

    /// The last path of the service is gone. The value is the last known state of the service.
    case lost(DiscoveredService, LossReason)

    /// The service that the change concerns.
    public var service: DiscoveredService {
        switch self {
        case .found(let service), .changed(let service, _), .lost(let service, _): service
        }
    }
}

/// An aspect of a service that can change while it is still the same one.
@nonexhaustive
public enum ServiceAspect: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The progress of the look-up: see ``DiscoveredService/resolution``.
    case resolution
    /// The target host of its SRV record.
    case host
    /// The port of its SRV record.
    case port
    /// The addresses of all paths.
    case addresses
    /// The TXT record.
    case txt
    /// The paths, or the port or addresses that one of them leads to.
    case paths
    /// The ownership: whether this process, or this host, publishes the service.
    case ownership

    /// Orders the aspects alphabetically, by their raw values.
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
        sortedSightings.elementsEqual(earlier.sortedSightings) {
            $0.path == $1.path && $0.port == $1.port && $0.addresses == $1.addresses
        }
    }
}

/// The reason why a path of a service is gone, or with its last path the service itself.
@nonexhaustive
public enum LossReason: String, Hashable, Sendable, CaseIterable {
    /// The service sent a goodbye packet (RFC 6762 §10.1), or its records expired: a daemon does not report which.
    case withdrawn

    /// The interface through which the service was seen went down or was removed.
    case interfaceDown

    /// The daemon is back after a restart, but no longer lists the service.
    case missingAfterRestart

    /// Only our own queries found the service, never the backend, and the service left two checks in a row unanswered.
    case unanswered
}
