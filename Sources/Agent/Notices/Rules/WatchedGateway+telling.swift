internal import GatewayProtocol
internal import Reports

/// The messages about a watched gateway, as it remembers that they are told.
extension WatchedGateway {
    /// Returns what is to be told besides its presence, by message: devices that wait are one.
    func furtherNews(at now: ContinuousClock.Instant) -> [(kind: Notice.Kind, facts: [GatewayFact])] {
        var messages: [(kind: Notice.Kind, facts: [GatewayFact])] = []
        for fact in news(for: .user, at: now) {
            guard let kind = lasting[fact].flatMap({ fact.message(holds: $0.holds) }) else { continue }
            if kind == .approval, messages.last?.kind == .approval {
                messages[messages.count - 1].facts.append(fact)
            } else {
                messages.append((kind, [fact]))
            }
        }
        return messages
    }

    /// Returns the message about facts, and takes in that it is told.
    mutating func tell(_ kind: Notice.Kind, of told: [GatewayFact], at moment: Moment) -> Notice {
        var notice = Notice(kind, [facts.subject], at: moment.time)
        for fact in told {
            guard let lasting = lasting[fact] else { continue }
            memory.toldFacts.learn(fact, holds: lasting.holds)
            switch fact {
            case .lostWay(let way):
                notice.lost = way
                notice.ways = facts.ways.filter(\.value).keys.sorted()
            case .notReady:
                notice.reason = facts.readiness?.ownReason
                if case .failing(let parts) = facts.readiness { notice.failing = parts }
                if lasting.holds { notice.since = moment.time.advanced(by: lasting.since - moment.instant) }
            case .refusal: continue
            case .trouble(let trouble):
                if trouble == .refused, let reason = facts.refusalReason { memory.toldRefusals.insert(reason) }
                notice.refusal = trouble == .refused ? facts.refusal : nil
                notice.reason = notice.refusal == nil ? trouble.meaning : nil
            case .approval: notice.devices = (facts.approvals ?? []).filter { told.contains(.approval(id: $0.id)) }
            }
        }
        return notice
    }

    /// Returns the message about its presence, and takes in that it is told.
    mutating func tell(_ kind: Notice.Kind, at moment: Moment) -> Notice {
        var notice = Notice(kind, [facts.subject], at: moment.time)
        let isAnswering = memory.outage == nil
        notice.since = kind == .gone ? memory.outage : memory.toldOutage
        switch kind {
        case .gone:
            notice.reason = facts.reason
            memory.toldOutage = memory.outage
            memory.told = .down
        case .back:
            // As in the history: it has answered for some seconds by now, and with quiet hours for hours.
            notice.until = memory.outageEnd ?? moment.time
            (returned, memory.returned) = (moment.instant, moment.time)
            memory.told = .up
        case .unsteady:
            notice.reason = "the next message comes when it has stayed as it is for 5 minutes"
            memory.told = .unsteady
        default:
            notice.reason = isAnswering ? nil : facts.reason
            (returned, memory.returned) = (nil, nil)
            memory.toldOutage = memory.outage
            memory.told = isAnswering ? .up : .down
        }
        if kind == .unsteady || kind == .settled {
            (notice.outages, notice.isAnswering) = (memory.outages, isAnswering)
        }
        return notice
    }

    /// Adds to the message that it is back that it accepts this device again, where that is news: it is one message.
    mutating func addAcceptance(to notice: inout Notice, at moment: Moment) {
        guard notice.kind == .back, news(for: .user, at: moment.instant).contains(.refusal) else { return }
        notice.reason = "it accepts this device again"
        memory.toldFacts.learn(.refusal, holds: false)
    }
}
