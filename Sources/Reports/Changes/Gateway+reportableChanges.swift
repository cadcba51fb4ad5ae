internal import DNSSD
internal import GatewayProtocol
package import Scanning

extension Gateway {
    /// Returns the aspects that have changed since an earlier state of the row and are worth reporting.
    ///
    /// Not worth reporting are the round-trip time, a swap between two equally good paths because one was faster, and
    /// the first answer of a path that was never asked before.
    package func reportableAspects(since earlier: Gateway) -> Set<GatewayAspect> {
        var aspects = aspects(changedSince: earlier).subtracting([.latency, .records])
        if aspects.contains(.paths), hasSamePaths(as: earlier) { aspects.remove(.paths) }
        if hasSameLiveness(as: earlier), turns(since: earlier).isEmpty {
            aspects.remove(.liveness)
        } else {
            aspects.insert(.liveness)
        }
        if hasSameReadiness(as: earlier) { aspects.remove(.readiness) }
        return aspects
    }

    /// Indicates whether it is as ready as before. One that is ready, or of which that is not known, is as it should be.
    private func hasSameReadiness(as earlier: Gateway) -> Bool {
        readiness == earlier.readiness || readiness?.isReady != false && earlier.readiness?.isReady != false
    }

    /// Returns the aspects that have changed since an earlier state of the row and are worth reporting to a person.
    /// They leave out which of several paths answer, except for the path to use, and the number of names it is
    /// advertised under.
    func aspectsForPeople(since earlier: Gateway) -> Set<GatewayAspect> {
        var aspects = reportableAspects(since: earlier)
        if hasSameLiveness(as: earlier) { aspects.remove(.liveness) }
        if services.isEmpty == earlier.services.isEmpty { aspects.remove(.services) }
        if isGateway, earlier.isGateway, dialect == earlier.dialect, !hasMoved(since: earlier) {
            aspects.remove(.paths)
        }
        return aspects
    }

    /// Indicates whether the reported liveness is the same: a gateway that floods is reported as suspect, whatever it
    /// answers.
    private func hasSameLiveness(as earlier: Gateway) -> Bool {
        isFlooding == earlier.isFlooding && (isFlooding || liveness == earlier.liveness)
    }

    /// Indicates whether the gateway answers, but no longer at the endpoint that was shown earlier.
    private func hasMoved(since earlier: Gateway) -> Bool {
        guard let path = shownPath, path.liveness == .answering, let place = earlier.shownPath?.endpoint,
            path.endpoint != place
        else { return false }
        return !paths.contains { $0.endpoint == place && $0.liveness == .answering && $0.counts }
    }

    private func hasSamePaths(as earlier: Gateway) -> Bool {
        guard isGateway || earlier.isGateway else {
            // The number of paths on which something is not a gateway is of no interest.
            return Set(paths.compactMap(\.outcome)) == Set(earlier.paths.compactMap(\.outcome))
                && Set(paths.compactMap(\.waiting)) == Set(earlier.paths.compactMap(\.waiting))
        }
        // Nor is the number of paths on which a gateway has not answered.
        let (ours, theirs) = (paths.filter(\.isAnswered), earlier.paths.filter(\.isAnswered))
        return Set(ours.map(Essence.init)) == Set(theirs.map(Essence.init))
    }

    /// Returns the paths of the earlier state whose liveness has changed, except for those that answer the first time
    /// they are asked.
    package func turns(since earlier: Gateway) -> [GatewayPath] {
        let before = Dictionary(earlier.paths.map { ($0.endpoint, $0.liveness) }) { first, _ in first }
        return paths.filter { path in
            guard let known = before[path.endpoint], known != path.liveness else { return false }
            return known != nil || path.liveness != .answering
        }
    }

    /// The path to show: the first on which this gateway is alive, or the first path of all if there is none.
    package var shownPath: GatewayPath? {
        paths.first { $0.counts && $0.liveness?.isAlive == true && $0.outcome?.identity != nil } ?? paths.first
    }

    /// The properties of a path other than its liveness and its round-trip time.
    private struct Essence: Hashable {
        let endpoint: Endpoint
        let reach: Reach
        let isManual: Bool
        let outcome: ProbeOutcome?
        let contradicts: Bool

        init(_ path: GatewayPath) {
            (endpoint, reach, isManual) = (path.endpoint, path.reach, path.isManual)
            (outcome, contradicts) = (path.outcome, path.contradicts)
        }
    }
}
