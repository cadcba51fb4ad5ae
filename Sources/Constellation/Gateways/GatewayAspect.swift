/// An aspect of a gateway that can change while it is still the same row.
public enum GatewayAspect: String, Hashable, Sendable, CaseIterable, Comparable {
    case name
    case fingerprint
    case paths
    case services

    /// The records of a service that leads to it, while the services as such stay the same: see
    /// ``Gateway/discoveredServices``.
    case records
    case bots
    case flags
    case liveness
    case latency

    public static func < (lhs: GatewayAspect, rhs: GatewayAspect) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Gateway {
    /// Returns the aspects in which this row differs from an earlier version of itself.
    ///
    /// `paths` covers everything about the paths except their liveness and latency, and includes their order.
    public func aspects(changedSince earlier: Gateway) -> Set<GatewayAspect> {
        differences(from: earlier).set
    }

    func differences(from earlier: Gateway) -> GatewayAspects {
        particulars.aspects(changedSince: earlier.particulars).union(Self.differences(of: paths, from: earlier.paths))
    }

    /// Returns the aspects in which paths differ from earlier ones.
    static func differences(of paths: [GatewayPath], from earlier: [GatewayPath]) -> GatewayAspects {
        guard paths.count == earlier.count else { return .paths }
        var aspects: GatewayAspects = []
        for (path, before) in zip(paths, earlier) {
            if path.liveness != before.liveness || path.isFlooding != before.isFlooding { aspects.insert(.liveness) }
            if path.roundTrip != before.roundTrip { aspects.insert(.latency) }
            if path.endpoint != before.endpoint || path.outcome != before.outcome || path.proof != before.proof
                || path.reach != before.reach
                || path.isManual != before.isManual || path.contradicts != before.contradicts
                || path.waiting != before.waiting || path.leads != before.leads
            {
                aspects.insert(.paths)
            }
        }
        return aspects
    }
}
