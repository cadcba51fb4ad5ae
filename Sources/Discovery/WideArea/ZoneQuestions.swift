internal import DNSSD
internal import DequeModule

/// All questions to zones, and what is known of each: asked once, kept for as long as the answer says, and then asked again. A
/// value, without clock or I/O.
///
/// What was known stays while no server can answer. The first questions go out as fast as they are answered; those that keep
/// knowledge up to date, at no more than a rate.
struct ZoneQuestions: ZoneWork {
    /// A question as it is to be sent now.
    struct Order: Hashable {
        let number: Int
        let message: [UInt8]
        let server: Endpoint
        let carrier: DNSTransport.Carrier
        let timeout: Duration
    }

    /// The knowledge of a question.
    private struct Entry {
        /// The records; empty if there are none.
        var records: [DNSRecordData] = []

        /// The number of bytes that these take.
        var size = 0

        /// Indicates whether a server has said so.
        var isKnown = false

        /// The reason why no server has answered the last time.
        var trouble: String?

        /// The name that is asked for, where aliases have led, and their number.
        var name: DomainName
        var aliases = 0

        /// The shortest time for which one of these aliases holds.
        var aliasLifetime: Duration?

        var rounds = 0
        var tried: [Endpoint: String] = [:]
        var usesTCP = false

        /// Indicates whether one of the tried servers has said nothing, or not all.
        var wasSilence = false
        var phase = Phase.queued

        /// Indicates whether its messages count for the rate: it is asked again.
        var isPaced = false

        /// The time from which it is no longer kept without an answer.
        var staleUntil: ContinuousClock.Instant?
    }

    private enum Phase: Hashable {
        case queued
        case asking(Int)
        case resting(until: ContinuousClock.Instant)
    }

    private struct Sent {
        let question: ZoneQuestion
        let name: DomainName
        let server: Endpoint
        let usesEDNS: Bool
        let time: ContinuousClock.Instant
    }

    /// The numbers of questions that wait for an answer at once.
    private static let (fewestAtOnce, usuallyAtOnce, mostAtOnce) = (4, 32, 128)

    /// The number of times that all servers are asked, before it counts that none has answered.
    private static let mostRounds = 3

    /// The bounds of the time after which a question that no server could answer is asked again.
    private static let (shortestRetry, longestRetry) = (Duration.seconds(2), Duration.seconds(60))

    /// The time for which what was known is kept while no server can answer (RFC 8767 §5).
    private static let staleTime = Duration.seconds(86_400)

    /// The delay of questions that is worth telling.
    private static let noteworthyDelay = Duration.seconds(10)

    /// The number of bytes that an answer may take in any case.
    private static let fewestBytes = 1_024

    private let mostBytes: Int
    private var bytes = 0

    /// Indicates whether answers had more records than there is room for.
    private(set) var isFull = false

    private var servers: DNSServers
    private var bucket: TokenBucket
    private let perSecond: Int

    /// The number of messages that were sent and are not yet paid for from the bucket. One question may need several, as along
    /// aliases and to the next server; until they are paid for, nothing else is asked again.
    private var owed = 0
    private var random: any RandomNumberGenerator & Sendable
    private var entries: [ZoneQuestion: Entry] = [:]

    /// The questions that were never answered, those for lists, and the others that are to be asked again.
    private var first = Deque<ZoneQuestion>()
    private var lists = Deque<ZoneQuestion>()
    private var again = Deque<ZoneQuestion>()
    private var due = DeadlineHeap<ZoneQuestion>()
    private var sent: [Int: Sent] = [:]
    private var lastNumber = 0
    private var atOnce = Self.usuallyAtOnce

    /// The records that came with the last answer, and that nobody has asked for yet.
    private var extra: [ZoneQuestion: (records: [DNSRecordData], lifetime: Duration)] = [:]

    /// The questions of which something else is known than before.
    private var changed: Set<ZoneQuestion> = []

    /// The number of first questions that wait for an answer, or to be asked.
    private var unanswered: Set<ZoneQuestion> = []

    /// - Parameter mostBytes: The number of bytes that all answers together may take.
    init(
        servers: [Endpoint],
        perSecond: Int,
        mostBytes: Int = 32 << 20,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: ContinuousClock.Instant
    ) {
        self.servers = DNSServers(servers)
        self.perSecond = perSecond
        self.mostBytes = mostBytes
        self.bucket = TokenBucket(capacity: perSecond, perSecond: perSecond, now: now)
        self.random = random
    }

    // MARK: What is known

    /// Returns the records of a question; `nil` while no server has answered it.
    func records(_ question: ZoneQuestion) -> [DNSRecordData]? {
        entries[question].flatMap { $0.isKnown ? $0.records : nil }
    }

    /// Returns the reason why no server could answer a question the last time that it was asked.
    func trouble(_ question: ZoneQuestion) -> String? { entries[question]?.trouble }

    /// Indicates whether something is asked for the first time.
    var isBusy: Bool { !unanswered.isEmpty }

    /// The time that it takes to ask everything once again, if that is so long that it should be told.
    var delay: Duration? {
        let time = Duration.seconds((again.count + owed) / perSecond)
        return time >= Self.noteworthyDelay ? time : nil
    }

    /// Returns the questions of which something else is known than at the last call.
    mutating func takeChanged() -> Set<ZoneQuestion> {
        defer { changed = [] }
        return changed
    }

    // MARK: What is wanted

    /// Asks a question, and keeps what is known of it up to date, until ``drop(_:)``.
    mutating func want(_ question: ZoneQuestion, now: ContinuousClock.Instant) {
        guard entries[question] == nil else { return }
        entries[question] = Entry(name: question.name)
        if let (records, lifetime) = extra[question] {
            know(question, records, for: lifetime, now: now)
        } else {
            unanswered.insert(question)
            first.append(question)
        }
    }

    mutating func drop(_ question: ZoneQuestion) {
        bytes -= entries.removeValue(forKey: question)?.size ?? 0
        unanswered.remove(question)
        changed.remove(question)
        entries.giveBackRoom()
    }

    // MARK: Asking

    /// The time at which something is to be done; `nil` while nothing is.
    var deadline: ContinuousClock.Instant? {
        let waits = sent.count < atOnce && !(lists.isEmpty && again.isEmpty)
        return [due.next, waits ? bucket.time(for: owed) : nil].compactMap(\.self).min()
    }

    /// Returns the questions that are to be sent now.
    mutating func orders(now: ContinuousClock.Instant) -> [Order] {
        while let (_, question) = due.take(until: now) {
            guard let entry = entries[question], case .resting(let time) = entry.phase, time <= now else { continue }
            if let end = entry.staleUntil, end <= now, entry.trouble != nil { forget(question) }
            enqueue(question)
        }
        var orders: [Order] = []
        while sent.count < atOnce, let question = next(now: now) {
            if let order = order(question, now: now) { orders.append(order) }
        }
        return orders
    }

    /// - Parameter isUrgent: Indicates whether one that was never answered need not wait. Else that counts until no server could
    ///   answer it: what is asked for again and again has to wait for its turn.
    private mutating func enqueue(_ question: ZoneQuestion, isUrgent: Bool = false) {
        guard var entry = entries[question] else { return }
        entry.phase = .queued
        entry.isPaced = entry.isKnown || entry.trouble != nil && !isUrgent
        entries[question] = entry
        if !entry.isPaced {
            first.append(question)
        } else if question.type == .ptr {
            lists.append(question)
        } else {
            again.append(question)
        }
    }

    private mutating func next(now: ContinuousClock.Instant) -> ZoneQuestion? {
        while let question = first.popFirst() {
            if entries[question]?.phase == .queued { return question }
        }
        while !(lists.isEmpty && again.isEmpty) {
            guard let question = lists.first ?? again.first, entries[question]?.phase == .queued else {
                _ = lists.popFirst() ?? again.popFirst()
                continue
            }
            while owed > 0, bucket.take(now: now) { owed -= 1 }
            guard owed == 0 else { return nil }
            return lists.popFirst() ?? again.popFirst()
        }
        return nil
    }

    private mutating func order(_ question: ZoneQuestion, now: ContinuousClock.Instant) -> Order? {
        guard var entry = entries[question] else { return nil }
        guard let server = servers.pick(besides: Set(entry.tried.keys), now: now) else {
            fail(question, now: now)
            return nil
        }
        lastNumber += 1
        if entry.isPaced { owed += 1 }
        entry.phase = .asking(lastNumber)
        entries[question] = entry
        let usesEDNS = servers.knowsEDNS(server)
        sent[lastNumber] = Sent(
            question: question,
            name: entry.name,
            server: server,
            usesEDNS: usesEDNS,
            time: now
        )
        let message = DNSMessage(
            id: .random(in: 0 ... .max, using: &random),
            flags: .recursiveQuery,
            questions: [DNSQuestion(name: entry.name.withRandomCase(using: &random), type: question.type)],
            additionals: usesEDNS ? [.opt(payloadSize: UInt16(DNSTransport.payloadSize))] : []
        )
        return Order(
            number: lastNumber,
            message: message.encoded().bytes,
            server: server,
            carrier: entry.usesTCP ? .tcp : .udp,
            timeout: servers.timeout(of: server, try: entry.rounds)
        )
    }

    // MARK: Answers

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
        let received = try? DNSReceivedMessage(decoding: bytes)
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

    private mutating func know(
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

    // MARK: Failures

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
    private mutating func fail(_ question: ZoneQuestion, now: ContinuousClock.Instant) {
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

    private mutating func forget(_ question: ZoneQuestion) {
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

extension DomainName {
    /// Returns the name with a random case of each of its letters: somebody who guesses must guess that too.
    fileprivate func withRandomCase(using random: inout any RandomNumberGenerator & Sendable) -> DomainName {
        var bytes = wire
        var bits: UInt64 = 0
        for index in bytes.indices {
            if index & 63 == 0 { bits = random.next() }
            // Length bytes are below every letter.
            if (0x61...0x7A).contains(bytes[index] | 0x20), bits & 1 == 1 { bytes[index] ^= 0x20 }
            bits >>= 1
        }
        return DomainName(checkedWire: bytes)
    }
}
