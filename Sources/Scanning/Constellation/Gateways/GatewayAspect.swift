/// An aspect of a gateway that can change while it is still the same row.
@nonexhaustive
public enum GatewayAspect: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Its identifier: the row that it was until now has joined it. Of two states of one row, this is never reported.
    case identifier

    /// Its name.
    case name

    /// The fingerprint that it answers with or advertises.
    case fingerprint

    /// Its paths or their order, but not their liveness or latency.
    case paths

    /// The services that lead to it.
    case services

    /// The records of a service that leads to it, while the services as such stay the same: see
    /// ``Gateway/discoveredServices``.
    case records

    /// Its bots, the number of those left out, or whether one is paired.
    case bots

    /// The warnings about it.
    case flags

    /// The liveness of a path, whether one floods, or what was found in place of its gateway.
    case liveness

    /// The readiness that it reports on a path.
    case readiness

    /// The round-trip time of a path.
    case latency

    /// Orders the aspects alphabetically, by their raw values.
    public static func < (lhs: GatewayAspect, rhs: GatewayAspect) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Gateway {
    /// Returns the aspects in which this row differs from an earlier version of itself.
    ///
    /// `paths` covers everything about the paths except their liveness, readiness and latency, and includes their order.
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
            if path.liveness != before.liveness || path.isFlooding != before.isFlooding
                || path.silence != before.silence || path.isHearsay != before.isHearsay
            {
                aspects.insert(.liveness)
            }
            if path.readiness != before.readiness { aspects.insert(.readiness) }
            if path.roundTrip != before.roundTrip { aspects.insert(.latency) }
            if path.endpoint != before.endpoint || path.outcome != before.outcome || path.proof != before.proof
                || path.reach != before.reach
                || path.isManual != before.isManual || path.source != before.source
                || path.contradicts != before.contradicts
                || path.isElsewhere != before.isElsewhere || path.waiting != before.waiting
                || path.leads != before.leads || path.machine != before.machine
            {
                aspects.insert(.paths)
            }
        }
        return aspects
    }
}
