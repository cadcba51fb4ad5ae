internal import BotMap
internal import DNSSD

extension Gateway {
    /// What is worth telling of a row since an earlier picture of it.
    ///
    /// How long an answer took is not, nor which of two paths that are equally good was faster, nor that one answers which
    /// was not asked before.
    func news(since earlier: Gateway) -> Set<GatewayAspect> {
        var aspects = aspects(changedSince: earlier).subtracting([.latency])
        if aspects.contains(.paths), hasSamePaths(as: earlier) { aspects.remove(.paths) }
        if liveness == earlier.liveness, turns(since: earlier).isEmpty {
            aspects.remove(.liveness)
        } else {
            aspects.insert(.liveness)
        }
        return aspects
    }

    private func hasSamePaths(as earlier: Gateway) -> Bool {
        guard isGateway || earlier.isGateway else {
            // By how many ways something is no gateway is of no interest.
            return Set(paths.compactMap(\.outcome)) == Set(earlier.paths.compactMap(\.outcome))
        }
        return Set(paths.map(Essence.init)) == Set(earlier.paths.map(Essence.init))
    }

    /// The paths that answer where they did not before, or the other way round.
    func turns(since earlier: Gateway) -> [GatewayPath] {
        let before = Dictionary(earlier.paths.map { ($0.endpoint, $0.liveness) }) { first, _ in first }
        return paths.filter { path in
            guard let known = before[path.endpoint], known != path.liveness else { return false }
            return known != nil || path.liveness != .answering
        }
    }

    /// The path to show: of those that are as good as the first but for their time, the one that is best to read.
    var shownPath: GatewayPath? {
        guard let first = paths.first else { return nil }
        return paths.filter { path in
            path.contradicts == first.contradicts && path.proof == first.proof && path.isTypedIn == first.isTypedIn
                && path.reach == first.reach && path.liveness == first.liveness
                && path.outcome?.identity?.leaf == first.outcome?.identity?.leaf
                && (path.outcome?.identity == nil) == (first.outcome?.identity == nil)
        }
        .min { $0.endpoint < $1.endpoint }
    }

    /// A path but for whether it answers, and how fast.
    private struct Essence: Hashable {
        let endpoint: Endpoint
        let reach: Reach
        let isTypedIn: Bool
        let outcome: ProbeOutcome?
        let contradicts: Bool

        init(_ path: GatewayPath) {
            (endpoint, reach, isTypedIn) = (path.endpoint, path.reach, path.isTypedIn)
            (outcome, contradicts) = (path.outcome, path.contradicts)
        }
    }
}
