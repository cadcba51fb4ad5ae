internal import GatewayProtocol
internal import Reports

/// The entries in the history of a watched gateway besides its outages.
extension WatchedGateway {
    /// Returns what is new in the history.
    mutating func recordFacts(at moment: Moment) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        // While it does not answer, it is down.
        if let outage = memory.outage, memory.recordedFacts.remove(.notReady) != nil {
            actions.append(.unreadyEnded(key: facts.subject.key, at: outage))
        }
        for fact in news(for: .history, at: moment.instant) {
            guard let lasting = lasting[fact], let kind = fact.message(holds: lasting.holds) else { continue }
            memory.recordedFacts.learn(fact, holds: lasting.holds)
            let time = moment.time.advanced(by: min(.zero, lasting.since - moment.instant))
            switch fact {
            case .notReady where lasting.holds:
                actions.append(.unreadyBegan(facts.subject, at: time, reason: unreadyReason(at: moment)))
            case .notReady: actions.append(.unreadyEnded(key: facts.subject.key, at: time))
            case .lostWay(let way):
                if !lasting.holds { memory.returnedWays[way] = time }
                actions.append(.happened(facts.subject, kind, way: way, at: time))
            case .refusal, .trouble, .approval: actions.append(.happened(facts.subject, kind, at: time))
            }
        }
        return actions
    }

    /// The reason why it is not ready, with the parts that fail as people see them.
    private func unreadyReason(at moment: Moment) -> String? {
        guard case .failing(let parts) = facts.readiness, !parts.isEmpty else { return facts.readiness?.ownReason }
        var notice = Notice(.notReady, [], at: moment.time)
        notice.failing = Array(parts.prefix(8))
        return "these fail: \(notice.shownFailing.joined(separator: ", "))"
    }
}

extension Readiness {
    /// The reason in our words, without the parts that fail: their names are the gateway's.
    var ownReason: String? {
        switch self {
        case .starting: "it is still starting"
        case .draining: "it is about to end"
        case .failing, .ready: nil
        }
    }
}
