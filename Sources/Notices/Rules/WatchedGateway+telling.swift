internal import GatewayProtocol
internal import Reports

/// The messages about a watched gateway, as its limits allow them.
extension WatchedGateway {
    /// Indicates whether one more message about it is allowed.
    mutating func mayTell(_ policy: NoticePolicy, at now: ContinuousClock.Instant) -> Bool {
        limit.allows(most: policy.mostPerGateway, at: now)
    }

    /// Returns the times at which its own limits allow what is to be told and has one: each with whether that is about devices
    /// that wait for an approval, and `nil` for one that is allowed now.
    func ends(_ policy: NoticePolicy, at now: ContinuousClock.Instant) -> [(isApproval: Bool, end: Timestamp?)] {
        var ends: [(isApproval: Bool, end: Timestamp?)] = []
        if hasNewsOfItself(at: now) || !facts.isOwn && news(at: now) != nil {
            ends.append((false, limit.end(most: policy.mostPerGateway, at: now)))
        }
        if hasNewsOfApprovals(at: now) { ends.append((true, approvals.end(policy, at: now))) }
        return ends
    }

    /// Takes in that its news are told.
    ///
    /// - Returns: The message, as far as it is about this gateway alone.
    mutating func tell(_ news: News, at moment: Moment) -> Notice {
        // No limit holds these back for one of the user's own, and they leave room for what has one.
        if !facts.isOwn { count(at: moment) }
        var notice: Notice
        switch news {
        case .gone:
            notice = Notice(.gone, [facts.subject], at: moment.time)
            notice.since = memory.outage
            notice.reason = facts.reason
            memory.toldOutage = memory.outage
            memory.told = .down
        case .unsteady:
            notice = Notice(.unsteady, [facts.subject], at: moment.time)
            notice.since = memory.toldOutage
            notice.outages = memory.outages
            notice.isAnswering = memory.outage == nil
            notice.reason = "the next message comes when it has stayed as it is for 5 minutes"
            memory.told = .unsteady
        case .back:
            notice = Notice(.back, [facts.subject], at: moment.time)
            notice.since = memory.toldOutage
            // As in the history: it has answered for some seconds by now, and with quiet hours for hours.
            notice.until = memory.outageEnd ?? moment.time
            memory.told = .up
            returned = moment.instant
            memory.returned = moment.time
        case .settled(let isAnswering):
            notice = Notice(.settled, [facts.subject], at: moment.time)
            notice.isAnswering = isAnswering
            notice.outages = memory.outages
            notice.since = memory.toldOutage
            notice.reason = isAnswering ? nil : facts.reason
            memory.told = isAnswering ? .up : .down
            memory.toldOutage = memory.outage
            returned = nil
            memory.returned = nil
        }
        return notice
    }

    /// Adds to the message that it is back that it accepts this device again, where that is news: it is one message.
    mutating func addAcceptance(to notice: inout Notice, at moment: Moment) {
        guard notice.kind == .back, isAcceptedAgain(at: moment.instant) else { return }
        notice.reason = "it accepts this device again"
        endToldRefusal()
    }

    /// Takes in that the user is told that it accepts this device again: the next refusal is news.
    private mutating func endToldRefusal() {
        memory.isToldRefused = false
        memory.troubles.remove(.refused)
    }

    /// Counts a message about it.
    private mutating func count(at moment: Moment) {
        limit.count(at: moment)
        memory.messages = limit.times
    }

    /// Takes what is to be told of ways and troubles, as many as are allowed.
    ///
    /// - Parameter isAllowed: Returns `true` if one more message of a kind is allowed in all, and counts it.
    mutating func takeFurtherNews(
        _ policy: NoticePolicy,
        at moment: Moment,
        isAllowed: (Notice.Kind) -> Bool
    ) -> [Notice] {
        let now = moment.instant
        var notices: [Notice] = []
        for way in newsOfWays(besides: memory.lostWays, at: now) {
            let isTold = memory.lostWays.contains(way)
            // Of several ways that are lost, one is left, or the gateway would be gone.
            guard limit.allows(most: policy.mostPerGateway, at: now), isAllowed(isTold ? .wayBack : .wayLost) else {
                continue
            }
            var notice = Notice(isTold ? .wayBack : .wayLost, [facts.subject], at: moment.time)
            notice.lost = way
            notice.ways = facts.ways.filter(\.value).keys.sorted()
            if isTold { memory.lostWays.remove(way) } else { memory.lostWays.insert(way) }
            count(at: moment)
            notices.append(notice)
        }
        if readiness.isNews(isTold: memory.isToldNotReady, at: now),
            limit.allows(most: policy.mostPerGateway, at: now), isAllowed(memory.isToldNotReady ? .ready : .notReady)
        {
            notices.append(readiness.notice(facts, isTold: memory.isToldNotReady, at: moment))
            memory.isToldNotReady.toggle()
            count(at: moment)
        }
        if isAcceptedAgain(at: now), limit.allows(most: policy.mostPerGateway, at: now), isAllowed(.accepted) {
            endToldRefusal()
            count(at: moment)
            notices.append(Notice(.accepted, [facts.subject], at: moment.time))
        }
        for trouble in newsOfTroubles(at: now) {
            guard limit.allows(most: policy.mostPerGateway, at: now), isAllowed(trouble.kind) else { continue }
            var notice = Notice(trouble.kind, [facts.subject], at: moment.time)
            notice.reason = trouble.meaning
            memory.troubles.insert(trouble)
            if trouble == .refused {
                memory.isToldRefused = true
                if let refusal = facts.refusal { (notice.reason, notice.refusal) = (nil, refusal) }
            }
            count(at: moment)
            notices.append(notice)
        }
        let devices = approvals.news(besides: memory.approvals, at: now)
        if !devices.isEmpty, approvals.mayTell(policy, at: now), isAllowed(.approval) {
            var notice = Notice(.approval, [facts.subject], at: moment.time)
            notice.devices = devices
            memory.approvals.formUnion(devices.map(\.id))
            memory.approvalMessages = approvals.count(at: moment)
            notices.append(notice)
        }
        return notices
    }
}
