internal import DNSMessages
internal import DNSSD

/// The questions that go out.
extension OneShotQuery {
    /// The number of instances that are asked for in one packet: as many as fit, and few where answers are cut at 512
    /// bytes.
    private static let instancesPerPacket = (whole: 32, cut: 3)

    /// The question for the instances, each type in a packet of its own: answers that are cut are cut for each.
    ///
    /// Known answers (RFC 6762 §7.1) cannot be told from such a port: Avahi refuses a query that has them.
    mutating func browse(on path: ServicePath) -> [OneShotAction] {
        guard let id = paths[path]?.nextID() else { return [] }
        let asked = now
        paths[path]?.browsedAt = asked
        return browseNames.map { name in
            let question = DNSQuestion(name: name, type: .ptr)
            return .send(DNSMessage(id: id, questions: [question]).encoded().bytes, on: path)
        }
    }

    /// Asks by multicast where whole answers have not come: elsewhere the same would be said twice, to all.
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
        if !actions.isEmpty { multicastQuestion.hear(until: now + configuration.hearingTime) }
        return actions
    }

    /// The question for the instances of all types, as a querier asks it (RFC 6762 §5.2).
    ///
    /// - Returns: `nil` where there are more types than one packet has room for: then the backend asks.
    private func multicastQuestion(on path: ServicePath) -> OneShotAction? {
        let questions = browseNames.map { DNSQuestion(name: $0, type: .ptr) }
        let bytes = DNSMessage(questions: questions).encoded().bytes
        guard !questions.isEmpty, bytes.count <= MulticastGroup.payload(path.family) else { return nil }
        return .multicast(bytes, on: path)
    }

    /// The additional time for which answers are waited for, per packet of questions.
    private static let answerTimePerPacket = Duration.milliseconds(5)

    /// Repeats the question, against loss: once everywhere, and then where it shows that something was lost, each time
    /// after twice the time.
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

    /// Asks for everything again.
    mutating func browseEverywhere() -> [OneShotAction] {
        paths.keys.sorted().flatMap { browse(on: $0) }
    }

    /// A packet could not be sent there, as happens while an interface is coming up.
    mutating func couldNotSend(on path: ServicePath) {
        paths[path]?.firstQuestion.hasGap = true
    }

    /// Asks for what has come incomplete.
    mutating func askForMissing(on path: ServicePath) -> [OneShotAction] {
        let missing = whatIsMissing(on: path)
        let packets = missing.questions.isEmpty ? [] : pack(missing.questions, on: path)
        let count = packets.reduce(0) { $0 + $1.count }
        let isAll = count == missing.names.count && !missing.isMore
        let asked = missing.names.prefix(count) + (isAll ? missing.instances : [])
        // Who is asked for much needs time for it.
        let patience = configuration.answerTime + Self.answerTimePerPacket * packets.count
        for name in asked { noteAsked(name, on: path, patience: patience) }
        // What found no room in this round, and what may not be answered.
        var times = asked.compactMap { paths[path]?.rows[$0]?.askedUntil }
        if let later = missing.later { times.append(later) }
        if !isAll { times.append(now + patience) }
        if let next = times.min() { paths[path]?.followUp.ask(at: next) }
        return packets.map(\.action)
    }

    /// The incomplete instances that are to be asked for.
    private struct Missing {
        /// Instances, and what each lacks.
        var names: [DomainName] = []
        var questions: [[DNSQuestion]] = []

        /// Instances that lack nothing but the addresses of a host that is asked for already.
        var instances: [DomainName] = []

        /// Indicates whether there are more incomplete instances than these.
        var isMore = false

        /// The earliest time until which answers to earlier questions are still waited for.
        var later: ContinuousClock.Instant?
    }

    private func whatIsMissing(on path: ServicePath) -> Missing {
        var missing = Missing()
        guard let state = paths[path] else { return missing }
        var hosts: Set<DomainName> = []
        for name in state.followUp.missing {
            // Without a PTR record it is of no type that is asked for, as far as is known.
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
                    questions += [.a, .aaaa].map { DNSQuestion(name: host, type: $0) }
                }
            } else {
                questions.append(DNSQuestion(name: name, type: .srv))
            }
            if row.text == nil { questions.append(DNSQuestion(name: name, type: .txt)) }
            if questions.isEmpty {
                missing.instances.append(name)
            } else {
                missing.names.append(name)
                missing.questions.append(questions)
            }
        }
        return missing
    }

    /// - Parameter patience: How long the answer to a first question is waited for; to each further one twice as long.
    private mutating func noteAsked(_ name: DomainName, on path: ServicePath, patience: Duration) {
        guard let rounds = paths[path]?.rows[name]?.rounds else { return }
        paths[path]?.rows[name]?.rounds = rounds + 1
        if rounds + 1 < configuration.rounds {
            let end = now + patience * (1 << rounds)
            paths[path]?.rows[name]?.askedUntil = end
        } else {
            paths[path]?.rows[name]?.askedUntil = nil
            paths[path]?.followUp.missing.remove(name)
        }
    }

    /// Asks by name for all that have not answered in this check.
    mutating func askByName(_ subject: InstanceChecks.Subject) -> [OneShotAction] {
        var actions: [OneShotAction] = []
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            let silent = state.rows.filter {
                $0.value.isReported && !$0.value.isConfirmed && !$0.value.hasAnswered
                    && ($0.value.isDoubted || subject == .unconfirmed)
            }
            let perPacket = state.cutAnswers.hasAny ? Self.instancesPerPacket.cut : Self.instancesPerPacket.whole
            let asked = Array(silent.keys.prefix(perPacket * configuration.packetsPerRound))
            let packets = pack(asked.map { [DNSQuestion(name: $0, type: .srv)] }, on: path)
            // What found no room in them was not asked, and is not to blame.
            for name in asked.prefix(packets.reduce(0) { $0 + $1.count }) { paths[path]?.rows[name]?.wasAsked = true }
            actions += packets.map(\.action)
        }
        return actions
    }

    /// Puts questions into packets, as many as may be sent. Those of one instance stay together.
    ///
    /// - Returns: The packets, each with how many instances it asks for.
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
                // Of those for whom the room is too small, all questions go into the next packet and none into this one.
                var whole = encoder
                let hasRoom = group.allSatisfy { whole.append($0) }
                // The longest names do not fill a packet with their questions, so that each one gets its turn.
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
