internal import DNSSD

/// Asking questions.
extension OneShotQuery {
    /// The number of instances that are asked for in one packet: as many as fit, but few where answers are cut at 512
    /// bytes.
    private static let instancesPerPacket = (whole: 32, cut: 3)

    /// Asks for the instances, each type in a packet of its own, so that an answer that is cut affects one type only.
    ///
    /// Known answers (RFC 6762 §7.1) cannot be sent from such a port: Avahi refuses a query that has them.
    mutating func browse(on path: ServicePath) -> [OneShotAction] {
        guard let id = paths[path]?.nextID() else { return [] }
        let asked = now
        paths[path]?.browsedAt = asked
        return browseNames.map { name in
            .send(DNSMessage(id: id, questions: [DNSQuestion(oneShot: name, type: .ptr)]).encoded().bytes, on: path)
        }
    }

    /// Asks by multicast where no complete answers have come. Elsewhere everything would be sent twice, the second time
    /// to everybody.
    mutating func multicast() -> [OneShotAction] {
        var actions: [OneShotAction] = []
        var later: ContinuousClock.Instant?
        for path in paths.keys.sorted() {
            guard let state = paths[path], state.mayMulticast else { continue }
            if !state.cutAnswers.hasAny {
                guard state.firstQuestion.lastAnswer == nil else { continue }
                let end = state.firstQuestion.opened + configuration.backendTime
                guard now >= end else {
                    later = min(end, later ?? end)
                    continue
                }
            }
            paths[path]?.mayMulticast = false
            if let question = multicastQuestion(on: path) { actions.append(question) }
        }
        if let later { multicastQuestion.ask(at: later) }
        if !actions.isEmpty { multicastQuestion.listen(until: now + configuration.listeningTime) }
        return actions
    }

    /// Returns the question for the instances of all types, as a querier asks it (RFC 6762 §5.2).
    ///
    /// - Returns: `nil` where the types do not fit into one packet: then it is left to the backend to ask.
    private func multicastQuestion(on path: ServicePath) -> OneShotAction? {
        let questions = browseNames.map { DNSQuestion(name: $0, type: .ptr) }
        let bytes = DNSMessage(questions: questions).encoded().bytes
        guard !questions.isEmpty, bytes.count <= MulticastGroup.payload(path.family) else { return nil }
        return .multicast(bytes, on: path)
    }

    /// The additional time for which the query waits for answers, per packet of questions.
    private static let answerTimePerPacket = Duration.milliseconds(5)

    /// Repeats the question in case packets were lost: once everywhere, and then only where there are signs of a loss,
    /// after twice the time each time.
    mutating func repeatBrowse(on path: ServicePath) -> [OneShotAction] {
        guard let state = paths[path] else { return [] }
        let (configuration, now) = (configuration, now)
        let lacksSome = state.rows.values.contains { !$0.isReported && !$0.isConfirmed }
        let isDue = paths[path]?.firstQuestion.repeatIfDue(
            known: state.rows.count,
            lacksSome: lacksSome,
            configuration,
            now: now
        )
        return isDue == true ? browse(on: path) : []
    }

    /// Asks for the instances again on every path.
    mutating func browseEverywhere() -> [OneShotAction] {
        paths.keys.sorted().flatMap { browse(on: $0) }
    }

    /// Records that a packet could not be sent on a path, as happens while an interface is coming up.
    mutating func couldNotSend(on path: ServicePath) {
        paths[path]?.firstQuestion.hasGap = true
    }

    /// Asks for the missing records of incomplete instances.
    mutating func askForMissing(on path: ServicePath) -> [OneShotAction] {
        let missing = whatIsMissing(on: path)
        let packets = missing.questions.isEmpty ? [] : pack(missing.questions, on: path)
        let count = packets.reduce(0) { $0 + $1.count }
        let isAll = count == missing.names.count && !missing.isMore
        let asked = missing.names.prefix(count) + (isAll ? missing.instances : [])
        // Responders need more time to answer more questions.
        let answerTimeout = configuration.answerTime + Self.answerTimePerPacket * packets.count
        for name in asked { noteAsked(name, on: path, answerTimeout: answerTimeout) }
        // The next round is for instances that did not fit into this one, and for those that may not be answered.
        var times = asked.compactMap { paths[path]?.rows[$0]?.askedUntil }
        if let later = missing.later { times.append(later) }
        if !isAll { times.append(now + answerTimeout) }
        if let next = times.min() { paths[path]?.followUp.ask(at: next) }
        return packets.map(\.action)
    }

    /// The incomplete instances that are to be asked for.
    private struct Missing {
        /// Incomplete instances, and the questions for the records that each lacks.
        var names: [DomainName] = []
        var questions: [[DNSQuestion]] = []

        /// Instances that lack only the addresses of a host that is already being asked for.
        var instances: [DomainName] = []

        /// Indicates whether there are more incomplete instances than these.
        var isMore = false

        /// The earliest time at which the wait for answers to earlier questions ends.
        var later: ContinuousClock.Instant?
    }

    private func whatIsMissing(on path: ServicePath) -> Missing {
        var missing = Missing()
        guard let state = paths[path] else { return missing }
        var hosts: Set<DomainName> = []
        for name in state.followUp.missing {
            // Without a PTR record, the instance is of no type that is browsed for, as far as is known.
            guard let row = state.rows[name], row.isPointedTo else { continue }
            if let time = row.askedUntil, time > now {
                missing.later = min(time, missing.later ?? time)
                continue
            }
            guard missing.names.count < configuration.packetsPerRound * Self.instancesPerPacket.whole else {
                missing.isMore = true
                break
            }
            var questions: [DNSQuestion] = []
            if let host = row.location?.target {
                if state.hosts[host]?.addresses.isEmpty ?? true, hosts.insert(host).inserted {
                    questions += [.a, .aaaa].map { DNSQuestion(oneShot: host, type: $0) }
                }
            } else {
                questions.append(DNSQuestion(oneShot: name, type: .srv))
            }
            if row.text == nil { questions.append(DNSQuestion(oneShot: name, type: .txt)) }
            if questions.isEmpty {
                missing.instances.append(name)
            } else {
                missing.names.append(name)
                missing.questions.append(questions)
            }
        }
        return missing
    }

    /// Counts a question for an instance, and plans the next one or gives up.
    ///
    /// - Parameter answerTimeout: The time to wait for the answer to a first question; it doubles with each further
    ///   question.
    private mutating func noteAsked(_ name: DomainName, on path: ServicePath, answerTimeout: Duration) {
        guard let rounds = paths[path]?.rows[name]?.rounds else { return }
        paths[path]?.rows[name]?.rounds = rounds + 1
        if rounds + 1 < configuration.rounds {
            let end = now + answerTimeout * (1 << rounds)
            paths[path]?.rows[name]?.askedUntil = end
        } else {
            paths[path]?.rows[name]?.askedUntil = nil
            paths[path]?.followUp.missing.remove(name)
        }
    }

    /// Asks by name for all instances that have not answered in this check.
    mutating func askByName(_ subject: InstanceChecks.Subject) -> [OneShotAction] {
        var actions: [OneShotAction] = []
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            let silent = state.rows.filter {
                $0.value.isReported && !$0.value.isConfirmed && !$0.value.hasAnswered
                    && ($0.value.isBeingReconfirmed || subject == .unconfirmed)
            }
            let perPacket = state.cutAnswers.hasAny ? Self.instancesPerPacket.cut : Self.instancesPerPacket.whole
            let asked = draw(perPacket * configuration.packetsPerRound, of: silent.keys)
            let packets = pack(asked.map { [DNSQuestion(oneShot: $0, type: .srv)] }, on: path)
            // Instances that did not fit into the packets were not asked for, and are not counted as silent.
            for name in asked.prefix(packets.reduce(0) { $0 + $1.count }) { paths[path]?.rows[name]?.wasAsked = true }
            actions += packets.map(\.action)
        }
        return actions
    }

    /// Returns the names, or some of them if there are more than the limit. Those are drawn at random: with any other
    /// choice, somebody could invent names that always come before the others.
    mutating func draw(_ limit: Int, of names: some Collection<DomainName>) -> [DomainName] {
        var names = names.sorted()
        guard names.count > limit else { return names }
        names.shuffle(using: &generator)
        return Array(names.prefix(limit))
    }

    /// Packs questions into packets, as many as may be sent. The questions for one instance stay together.
    ///
    /// - Returns: The packets, each with the number of instances that it asks for.
    private mutating func pack(
        _ questions: [[DNSQuestion]],
        on path: ServicePath
    ) -> [(action: OneShotAction, count: Int)] {
        guard let isCut = paths[path]?.cutAnswers.hasAny, let id = paths[path]?.nextID() else { return [] }
        let perPacket = isCut ? Self.instancesPerPacket.cut : Self.instancesPerPacket.whole
        let limit = MulticastGroup.payload(path.family)
        var packets: [(action: OneShotAction, count: Int)] = []
        var rest = questions[...]
        while !rest.isEmpty, packets.count < configuration.packetsPerRound, budget.take(now: now) {
            var encoder = DNSMessageEncoder(id: id, limit: limit, compression: .multicast)
            var count = 0
            while count < perPacket, let group = rest.first {
                // If not all questions for an instance fit, all of them go into the next packet.
                var whole = encoder
                let hasRoom = group.allSatisfy { whole.append($0) }
                // Even the questions for the longest names fit into an empty packet, so that each instance gets its
                // turn.
                guard hasRoom || count == 0 else { break }
                encoder = whole
                rest = rest.dropFirst()
                count += 1
            }
            packets.append((.send(encoder.finish(), on: path), count))
        }
        return packets
    }
}
