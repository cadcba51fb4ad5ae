internal import DNSSD

/// The consequences of how a step went.
extension ZonePublisher {
    /// Takes the result of the step that was under way.
    mutating func receive(_ result: ZoneResult, now: ContinuousClock.Instant, time: UInt64) {
        guard let flight else { return }
        self.flight = nil
        switch (flight, result) {
        case (.pieces(let pieces), .failed(let problem)): fail(pieces, problem, now)
        case (.pieces(let pieces), _): finish(pieces, now)
        case (.looks(let looks), .answers(let answers)): receive(looks, answers, now, time)
        case (.looks(let looks), .failed(let problem)): wait(looks.map(\.id), problem, now)
        case (.looks, .updated): break
        // Whatever went wrong, an empty list does no harm.
        case (.tidying(let type), _): emptied.remove(type)
        case (.sweep, _): emptied.formUnion(sweep.receive(result, in: names, time))
        case (.emptiness, .answers(let answers)):
            pointing = answers.allSatisfy(\.answers.isEmpty) ? .superfluous : .absent
        case (.emptiness, _): pointing = .absent
        case (.pointer, .failed(let problem)):
            pointing = .absent
            pointerProblem = describe(problem)
            pointerRetry = now + Self.interval
        case (.pointer, _):
            pointing = pointing == .absent ? .present : .absent
            pointerProblem = nil
        }
    }

    // MARK: Updates

    private mutating func finish(_ pieces: [Piece], _ now: ContinuousClock.Instant) {
        (surprises, failures) = (0, 0)
        for piece in pieces {
            guard let entry = entries[piece.id] else { continue }
            emptied.formUnion(entry.leases.keys.compactMap(\.parent?.parent))
            entries[piece.id]?.placed = piece.placed
            entries[piece.id]?.leases = Dictionary(piece.leases.map { ($0.name, $0) }) { $1 }
            entries[piece.id]?.renewal = now + Self.interval
            if piece.placed != nil, entry.wanted != nil { report(piece.id, .published(name: piece.name)) }
            dropIfGone(piece.id)
        }
        // What was there all the time is so again, as far as is known.
        for (id, entry) in entries where entry.placed != nil && entry.wanted != nil {
            if case .publishing = entry.reported { report(id, .published(name: entry.name)) }
        }
    }

    private mutating func fail(_ pieces: [Piece], _ problem: UpdateProblem, _ now: ContinuousClock.Instant) {
        if problem.meansOtherRecords {
            for piece in pieces { entries[piece.id]?.mustLook = true }
            surprises += 1
            if surprises <= Self.mostSurprises { return }
        } else if problem == .refused(.serverFailure), pieces.count > 1 {
            // One of them may be one too many.
            most = pieces.count / 2
            return
        }
        wait(pieces.map(\.id), problem, now)
    }

    /// Tries again later, and tells why.
    private mutating func wait(_ ids: [Int], _ problem: UpdateProblem, _ now: ContinuousClock.Instant) {
        retry = now + min(.seconds(1 << min(failures, 6)), .seconds(60))
        failures += 1
        most = Self.mostServices
        let error = describe(problem)
        let waiting = entries.filter { $0.value.placed == nil && $0.value.records != nil }.keys
        for id in Set(ids).union(waiting).sorted() where entries[id]?.wanted != nil {
            report(id, .publishing(waitingFor: error))
        }
    }

    // MARK: Looks

    private mutating func receive(
        _ looks: [(id: Int, instances: [DomainName])],
        _ answers: [DNSMessage],
        _ now: ContinuousClock.Instant,
        _ time: UInt64
    ) {
        var rest = answers[...]
        for look in looks {
            var leases: [DomainName: DNSRecord] = [:]
            var areOthers = false
            for instance in look.instances {
                guard let leaseAnswer = rest.popFirst(), let answer = rest.popFirst() else { return }
                let record = leaseAnswer.answers.first { $0.type == .txt && $0.name.parent == instance }
                let lease = record.flatMap { ZoneLease($0.data) }
                if let record, let lease, lease.owner == owner || lease.isOver(at: time) {
                    leases[record.name] = record
                } else if record != nil || answer.answers.contains(where: { $0.name == instance }) {
                    areOthers = true
                }
            }
            receive(look.id, leases, areOthers: areOthers, now)
        }
    }

    /// Takes what the zone has at the instances of a service.
    private mutating func receive(
        _ id: Int,
        _ leases: [DomainName: DNSRecord],
        areOthers: Bool,
        _ now: ContinuousClock.Instant
    ) {
        guard let entry = entries[id] else { return }
        let own = leases.filter { ZoneLease($0.value.data)?.owner == owner }
        entries[id]?.mustLook = false
        entries[id]?.placed = nil
        entries[id]?.leases = entry.wanted == nil || areOthers ? own : leases
        if areOthers, let wanted = entry.wanted {
            surprises = 0
            let next = AlternativeName.next(after: entry.name)
            report(id, .renamed(from: entry.name, to: next))
            entries[id]?.name = next
            let pause = entries[id]?.conflicts.noteConflict(now: now) ?? .zero
            if pause > .zero {
                entries[id]?.pause = now + pause
                report(id, .publishing(waitingFor: .namesTaken(wanted.name)))
            }
            compose(id)
        }
        dropIfGone(id)
    }
}
