/// What can change about a gateway that is still the same row.
public enum GatewayAspect: String, Hashable, Sendable, CaseIterable, Comparable {
    case name
    case fingerprint
    case paths
    case services
    case bots
    case flags
    case liveness
    case latency

    public static func < (lhs: GatewayAspect, rhs: GatewayAspect) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Gateway {
    /// In what this row differs from an earlier picture of itself.
    ///
    /// `paths` is about everything of a path but its liveness and latency, and about their order.
    public func aspects(changedSince earlier: Gateway) -> Set<GatewayAspect> {
        var aspects: Set<GatewayAspect> = []
        if name != earlier.name { aspects.insert(.name) }
        if fingerprint != earlier.fingerprint { aspects.insert(.fingerprint) }
        if services != earlier.services { aspects.insert(.services) }
        if bots != earlier.bots || botsLeftOut != earlier.botsLeftOut || isPaired != earlier.isPaired {
            aspects.insert(.bots)
        }
        if flags != earlier.flags { aspects.insert(.flags) }
        guard paths.count == earlier.paths.count else { return aspects.union([.paths]) }
        for (path, before) in zip(paths, earlier.paths) {
            if path.liveness != before.liveness { aspects.insert(.liveness) }
            if path.roundTrip != before.roundTrip { aspects.insert(.latency) }
            if path.endpoint != before.endpoint || path.outcome != before.outcome || path.reach != before.reach
                || path.isTypedIn != before.isTypedIn || path.contradicts != before.contradicts
            {
                aspects.insert(.paths)
            }
        }
        return aspects
    }
}
