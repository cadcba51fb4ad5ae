package import Constellation
internal import DNSSD

extension Gateway {
    /// Returns the aspects that have changed since an earlier picture of the row and are worth telling.
    ///
    /// The time an answer took is not, nor which of two paths that are equally good was faster, nor that one answers which
    /// was not asked before.
    package func news(since earlier: Gateway) -> Set<GatewayAspect> {
        var aspects = aspects(changedSince: earlier).subtracting([.latency, .records])
        if aspects.contains(.paths), hasSamePaths(as: earlier) { aspects.remove(.paths) }
        if hasSameLiveness(as: earlier), turns(since: earlier).isEmpty {
            aspects.remove(.liveness)
        } else {
            aspects.insert(.liveness)
        }
        return aspects
    }

    /// Returns the aspects that have changed since an earlier picture of the row and are worth telling a person: not
    /// which of several paths answer, except for the one to use, nor under how many names it is advertised.
    func newsForPeople(since earlier: Gateway) -> Set<GatewayAspect> {
        var aspects = news(since: earlier)
        if hasSameLiveness(as: earlier) { aspects.remove(.liveness) }
        if services.isEmpty == earlier.services.isEmpty { aspects.remove(.services) }
        if isGateway, earlier.isGateway, dialect == earlier.dialect, !hasMoved(since: earlier) {
            aspects.remove(.paths)
        }
        return aspects
    }

    /// Indicates whether the same is told of its liveness: what floods is suspect, whatever it answers.
    private func hasSameLiveness(as earlier: Gateway) -> Bool {
        isFlooding == earlier.isFlooding && (isFlooding || liveness == earlier.liveness)
    }

    /// Indicates whether it answers, and not any more where it was shown.
    private func hasMoved(since earlier: Gateway) -> Bool {
        guard let path = shownPath, path.liveness == .answering, let place = earlier.shownPath?.endpoint,
            path.endpoint != place
        else { return false }
        return !paths.contains { $0.endpoint == place && $0.liveness == .answering && !$0.contradicts }
    }

    private func hasSamePaths(as earlier: Gateway) -> Bool {
        guard isGateway || earlier.isGateway else {
            // By how many ways something is no gateway is of no interest.
            return Set(paths.compactMap(\.outcome)) == Set(earlier.paths.compactMap(\.outcome))
                && Set(paths.compactMap(\.waiting)) == Set(earlier.paths.compactMap(\.waiting))
        }
        // Nor by how many more ways a gateway does not answer.
        let (ours, theirs) = (paths.filter(\.isAnswered), earlier.paths.filter(\.isAnswered))
        return Set(ours.map(Essence.init)) == Set(theirs.map(Essence.init))
    }

    /// The paths that answer where they did not before, or the other way round.
    package func turns(since earlier: Gateway) -> [GatewayPath] {
        let before = Dictionary(earlier.paths.map { ($0.endpoint, $0.liveness) }) { first, _ in first }
        return paths.filter { path in
            guard let known = before[path.endpoint], known != path.liveness else { return false }
            return known != nil || path.liveness != .answering
        }
    }

    /// The path to show: the first that answers.
    package var shownPath: GatewayPath? {
        paths.first { !$0.contradicts && $0.liveness?.isAlive == true && $0.outcome?.identity != nil } ?? paths.first
    }

    /// A path but for whether it answers, and how fast.
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
