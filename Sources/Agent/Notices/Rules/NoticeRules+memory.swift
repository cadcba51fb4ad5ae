/// The gateways that are watched, and what the next run of the agent has to know of them.
extension NoticeRules {
    /// The time after which a gateway that was remembered is not watched any more, if nothing is said of it.
    private static let memoryLifetime = Duration.seconds(120)

    /// The least time between two names of one gateway in the history.
    private static let nameInterval = Duration.seconds(60)

    /// Takes in what is known of the gateways that are watched from now on.
    mutating func observe(_ facts: [GatewayFacts], at moment: Moment) -> [NoticeAction] {
        let keys = Set(facts.map(\.subject.key))
        var actions: [NoticeAction] = []
        for key in gateways.keys.filter({ !keys.contains($0) }).sorted() { actions += forget(key, at: moment) }
        for fact in facts {
            let key = fact.subject.key
            if gateways[key] == nil { watch(fact, at: moment) }
            actions += gateways[key]?.observe(fact, at: moment) ?? []
        }
        guard !remembered.isEmpty, moment.instant - start >= Self.memoryLifetime else { return actions }
        // The user has unpaired them, or names them no more, while no agent ran.
        for key in remembered.keys.sorted() { actions += forget(key, at: moment) }
        return actions
    }

    private mutating func watch(_ fact: GatewayFacts, at moment: Moment) {
        let key = fact.subject.key
        let last = remembered.removeValue(forKey: key)
        if let last { recorded[key] = (last, start) }
        let memory = last?.memory ?? GatewayMemory()
        // What was there before has to find its gateways again.
        let judgedFrom = last == nil ? moment.instant : max(moment.instant, start + WatchedGateway.judgementHold)
        gateways[key] = WatchedGateway(fact, memory, judgedFrom: judgedFrom, at: moment)
        limits.begin(key, memory, at: moment)
    }

    private mutating func forget(_ key: String, at moment: Moment) -> [NoticeAction] {
        guard let memory = gateways[key]?.memory ?? remembered[key]?.memory else { return [] }
        (gateways[key], recorded[key], remembered[key]) = (nil, nil, nil)
        limits.forget(key)
        return (memory.outage == nil ? [] : [.outageEnded(key: key, at: moment.time)])
            + (memory.recordedFacts.contains(.notReady) ? [.unreadyEnded(key: key, at: moment.time)] : [])
            + [.forget(key: key)]
    }

    /// Has remembered what is new. Of a gateway that has never answered and has no name there is nothing to remember.
    mutating func remember(at moment: Moment) -> [NoticeAction] {
        var actions = limits.remember().map { [NoticeAction.rememberLimits($0)] } ?? []
        for (key, gateway) in gateways.sorted(by: { $0.key < $1.key }) {
            let (subject, memory) = (gateway.facts.subject, gateway.memory)
            if let (last, time) = recorded[key] {
                // A name is the network's, which must not decide how often something is written.
                let isRenamed =
                    last.subject.shownName != subject.shownName && moment.instant - time >= Self.nameInterval
                guard last.memory != memory || isRenamed else { continue }
            } else if memory == GatewayMemory() {
                continue
            }
            recorded[key] = (RememberedGateway(subject, memory), moment.instant)
            actions.append(.remember(subject, memory))
        }
        return actions
    }
}
