internal import DNSSD

/// Checks at the wish of somebody who wants to know who answers now.
extension ScanState {
    /// Asks each gateway that counts as answering once more, on its first path, without waiting for the pace of checks. One
    /// that was asked as often as it may be in a minute is not asked, nor is one for which too many other checks run: its
    /// last answer counts.
    ///
    /// - Returns: The endpoints from which an answer is due.
    mutating func checkAnew(now: ContinuousClock.Instant) -> Set<Endpoint> {
        let primaries = endpoints.keys.filter { endpoint in
            guard let known = endpoints[endpoint] else { return false }
            return known.leads && known.tracker.liveness == .answering && !sessions.contains(endpoint)
        }
        for endpoint in primaries.sorted() {
            guard let known = endpoints[endpoint], !known.question.isUnderWay else { continue }
            check(endpoint, known, now: now)
        }
        return Set(primaries.filter { endpoints[$0]?.question.isUnderWay == true })
    }

    /// Indicates whether it is known of some endpoints whether they answer: the last question was answered, or enough were
    /// not.
    func hasAnswers(from asked: Set<Endpoint>) -> Bool {
        asked.allSatisfy { endpoint in
            guard let known = endpoints[endpoint], known.tracker.liveness == .answering else { return true }
            return !known.question.isUnderWay && known.tracker.misses == 0
        }
    }
}
