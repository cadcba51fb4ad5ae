internal import DNSSD
internal import DequeModule

/// The answers to questions, and what happens without one.
extension ZoneQuestions {
    /// The number of times that all servers are asked, before it counts that none has answered.
    private static let mostRounds = 3

    /// The bounds of the time after which a question that no server could answer is asked again.
    private static let (shortestRetry, longestRetry) = (Duration.seconds(2), Duration.seconds(60))

    /// The time for which what was known is kept while no server can answer (RFC 8767 §5).
    private static let staleTime = Duration.seconds(86_400)

    /// The number of bytes that an answer may take in any case.
    private static let fewestBytes = 1_024

    /// Takes in what has become of an order.
    mutating func take(_ result: Result<[UInt8], DNSExchangeError>, of number: Int, now: ContinuousClock.Instant) {
        guard let sent = sent.removeValue(forKey: number) else { return }
        extra = [:]
        switch result {
        case .success(let bytes):
            atOnce = min(atOnce + 1, Self.mostAtOnce)
            if servers.noteAnswer(of: sent.server, after: now - sent.time, now: now) { hurry(now: now) }
            guard entries[sent.question]?.phase == .asking(number) else { return }
            take(bytes, sent, now: now)
        case .failure(let error):
            if error.code == .noAnswer { atOnce = max(atOnce / 2, Self.fewestAtOnce) }
            if [.noAnswer, .notListening, .unreachable].contains(error.code) {
                servers.noteFailure(of: sent.server, error, sentAt: sent.time, now: now)
            }
            guard entries[sent.question]?.phase == .asking(number) else { return }
            if error.code == .forged, entries[sent.question]?.usesTCP == false {
                askOverTCP(sent.question)
            } else {
                // A server that ends a connection may have meant another question on it.
                if [.noAnswer, .connectionLost].contains(error.code) { entries[sent.question]?.wasSilence = true }
                askAnother(sent.question, than: sent.server, error.message)
            }
        }
    }

    private mutating func take(_ bytes: [UInt8], _ sent: Sent, now: ContinuousClock.Instant) {
        let question = sent.question
        let received = try? DNSReceivedMessage(decoding: bytes.asking(sent.name))
        guard let received, !received.isCut || received.message.flags.isTruncated else {
            return askAnother(question, than: sent.server, "sends answers that cannot be read")
        }
        if received.message.flags.isTruncated {
            guard entries[question]?.usesTCP == true else { return askOverTCP(question) }
            return askAnother(question, than: sent.server, "cuts its answer also over TCP")
        }
        let asked = ZoneQuestion(name: sent.name, type: question.type)
        let answer = ZoneAnswer(received.message, to: asked, usedEDNS: sent.usesEDNS)
        // Records that cannot be read do not say that there are none.
        guard answer.finding != .none || received.skipped.answers == 0 else {
            return askAnother(question, than: sent.server, "sends answers that cannot be read")
        }
        switch answer.finding {
        case .records(let records):
            know(question, records, for: answer.lifetime, now: now)
            takeOthers(of: answer, to: question, now: now)
        case .none: know(question, [], for: answer.lifetime, now: now)
        case .alias(let name):
            guard let entry = entries[question], entry.aliases < ZoneAnswer.mostAliases else {
                return askAnother(question, than: sent.server, "leads from alias to alias")
            }
            entries[question]?.name = name
            entries[question]?.aliases += 1
            entries[question]?.aliasLifetime = min(entry.aliasLifetime ?? answer.lifetime, answer.lifetime)
            entries[question]?.phase = .queued
            first.prepend(question)
        case .useless(let reason): askAnother(question, than: sent.server, reason)
        case .withoutEDNS:
            _ = servers.noteLackOfEDNS(sent.server)
            entries[question]?.phase = .queued
            first.prepend(question)
        }
    }

    /// Takes in records that came with an answer: those of names in the same domain, since a server that was asked about one
    /// domain may say anything of others.
    private mutating func takeOthers(of answer: ZoneAnswer, to question: ZoneQuestion, now: ContinuousClock.Instant) {
        let domain = question.domain
        for (other, (records, lifetime)) in answer.others where other.name.isWithin(domain) {
            guard let entry = entries[other] else {
                extra[other] = (records, lifetime)
                continue
            }
            if case .asking = entry.phase { continue }
            know(other, records, for: lifetime, now: now)
        }
    }

    mutating func know(
        _ question: ZoneQuestion,
        _ records: [DNSRecordData],
        for lifetime: Duration,
        now: ContinuousClock.Instant
    ) {
        guard var entry = entries[question] else { return }
        bytes -= entry.size
        let (records, size) = kept(records)
        bytes += size
        if !entry.isKnown || entry.trouble != nil || entry.records != records { changed.insert(question) }
        let time = now + min(lifetime, entry.aliasLifetime ?? lifetime)
        entry = Entry(name: question.name)
        (entry.records, entry.size, entry.isKnown) = (records, size, true)
        (entry.phase, entry.staleUntil) = (.resting(until: time), now + lifetime + Self.staleTime)
        entries[question] = entry
        unanswered.remove(question)
        rest(question, until: time)
    }

    /// Returns the records for which there is room, and the number of bytes that they take.
    private mutating func kept(_ records: [DNSRecordData]) -> (records: [DNSRecordData], size: Int) {
        let room = max(mostBytes - bytes, Self.fewestBytes)
        var size = 0
        for (index, record) in records.enumerated() {
            let next = size + MemoryLayout<DNSRecordData>.stride + record.uncompressed.count
            guard next <= room else {
                isFull = true
                return (Array(records.prefix(index)), size)
            }
            size = next
        }
        return (records, size)
    }

    private mutating func rest(_ question: ZoneQuestion, until time: ContinuousClock.Instant) {
        due.insert(question, at: time)
        guard due.count > 2 * entries.count + 64 else { return }
        due.rebuild(
            entries.compactMap { question, entry in
                if case .resting(let time) = entry.phase { (time, question) } else { nil }
            }
        )
    }

    private mutating func askOverTCP(_ question: ZoneQuestion) {
        entries[question]?.usesTCP = true
        entries[question]?.phase = .queued
        first.prepend(question)
    }

    private mutating func askAnother(_ question: ZoneQuestion, than server: Endpoint, _ reason: String) {
        entries[question]?.tried[server] = reason
        entries[question]?.phase = .queued
        first.prepend(question)
    }

    /// Has a question that no server can answer now wait: after silence for another round, else for a while.
    mutating func fail(_ question: ZoneQuestion, now: ContinuousClock.Instant) {
        guard var entry = entries[question] else { return }
        entry.rounds += 1
        if entry.wasSilence, servers.nextTrial == nil, entry.rounds < Self.mostRounds {
            (entry.tried, entry.wasSilence) = ([:], false)
            entries[question] = entry
            first.prepend(question)
            return
        }
        let reasons = servers.troubles.merging(entry.tried) { $1 }.sorted { $0.key < $1.key }
        let trouble = reasons.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
        if entry.trouble != trouble { changed.insert(question) }
        let pause = min(Self.shortestRetry * (1 << min(entry.rounds, 5)), Self.longestRetry)
        let time = servers.nextTrial ?? now + pause
        (entry.trouble, entry.tried, entry.wasSilence, entry.usesTCP) = (trouble, [:], false, false)
        (entry.name, entry.aliases, entry.aliasLifetime) = (question.name, 0, nil)
        entry.phase = .resting(until: time)
        entries[question] = entry
        unanswered.remove(question)
        rest(question, until: time)
    }

    /// Asks again what no server could answer, now that one is back.
    private mutating func hurry(now: ContinuousClock.Instant) {
        for (question, entry) in entries where entry.trouble != nil {
            guard case .resting(let time) = entry.phase, time > now else { continue }
            enqueue(question, isUrgent: true)
        }
    }

    mutating func forget(_ question: ZoneQuestion) {
        guard var entry = entries[question] else { return }
        bytes -= entry.size
        (entry.records, entry.size, entry.isKnown) = ([], 0, false)
        entries[question] = entry
        changed.insert(question)
    }
}

extension ZoneQuestion {
    /// The domain in which the name is: what follows its last label with an underscore, or else its first label.
    fileprivate var domain: DomainName {
        var (domain, rest) = (name.parent ?? name, Optional(name))
        while let part = rest {
            if !part.isRoot, part.wire[1] == UInt8(ascii: "_") { domain = part.parent ?? part }
            rest = part.parent
        }
        return domain
    }
}

extension [UInt8] {
    /// The message with the name of its question as it is, which had a random case on the way: what is compressed points there.
    fileprivate func asking(_ name: DomainName) -> [UInt8] {
        // After a header of twelve bytes (RFC 1035 §4.1.1).
        let place = 12..<(12 + name.wire.count)
        // Length bytes are below every letter.
        guard count >= place.upperBound, ASCIICase.equal(self[place], name.wire) else { return self }
        var message = self
        message.replaceSubrange(place, with: name.wire)
        return message
    }
}
