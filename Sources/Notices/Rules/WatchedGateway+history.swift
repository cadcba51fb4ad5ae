internal import GatewayProtocol
internal import Reports

/// The entries in the history of a watched gateway besides its outages.
extension WatchedGateway {
    /// Returns what is new in the history of its readiness. What is not known for a while ends nothing.
    mutating func recordReadiness(at moment: Moment) -> [NoticeAction] {
        let (key, now) = (facts.subject.key, moment.instant)
        if memory.unready == nil {
            guard memory.outage == nil, let since = readiness.unreadySince(at: now) else { return [] }
            let began = moment.time.advanced(by: since - now)
            memory.unready = began
            var reason = WatchedReadiness.reason(facts.readiness)
            if case .failing(let parts) = facts.readiness, !parts.isEmpty {
                var notice = Notice(.notReady, [], at: moment.time)
                notice.failing = Array(parts.prefix(8))
                reason = "these fail: \(notice.shownFailing.joined(separator: ", "))"
            }
            return [.unreadyBegan(facts.subject, at: began, reason: reason)]
        }
        let ended: Timestamp
        if let outage = memory.outage {
            // While it does not answer, it is down.
            ended = outage
        } else if readiness.isReadyAgain(at: now), let since = readiness.since {
            ended = moment.time.advanced(by: since - now)
        } else {
            return []
        }
        memory.unready = nil
        return [.unreadyEnded(key: key, at: ended)]
    }

    /// Returns what is new in the history of its ways and troubles: what would be told, if it were always allowed.
    mutating func recordWaysAndTroubles(at moment: Moment) -> [NoticeAction] {
        let now = moment.instant
        func time(_ since: ContinuousClock.Instant?) -> Timestamp {
            moment.time.advanced(by: min(.zero, (since ?? now) - now))
        }
        var actions: [NoticeAction] = []
        for way in newsOfWays(besides: memory.recordedWays, at: now) {
            let isBack = memory.recordedWays.remove(way) != nil
            if !isBack { memory.recordedWays.insert(way) }
            if isBack { memory.returnedWays[way] = time(ways.since(way)) }
            let kind = isBack ? Notice.Kind.wayBack : .wayLost
            actions.append(.happened(facts.subject, kind, way: way, at: time(ways.since(way))))
        }
        if acceptance.isNews(ofKnown: memory.isRecordedRefused, at: now) {
            memory.isRecordedRefused = false
            memory.recordedTroubles.remove(.refused)
            actions.append(.happened(facts.subject, .accepted, at: time(acceptance.since)))
        }
        for trouble in troubles.news(besides: memory.recordedTroubles, at: now) {
            memory.recordedTroubles.insert(trouble)
            if trouble == .refused { memory.isRecordedRefused = true }
            actions.append(.happened(facts.subject, trouble.kind, at: time(troubles.since(trouble))))
        }
        return actions
    }
}
