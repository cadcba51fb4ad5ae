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
    struct Entry {
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

    enum Phase: Hashable {
        case queued
        case asking(Int)
        case resting(until: ContinuousClock.Instant)
    }

    struct Sent {
        let question: ZoneQuestion
        let name: DomainName
        let server: Endpoint
        let usesEDNS: Bool
        let time: ContinuousClock.Instant
    }

    /// The numbers of questions that wait for an answer at once.
    static let (fewestAtOnce, usuallyAtOnce, mostAtOnce) = (4, 32, 128)

    /// The delay of questions that is worth telling.
    private static let noteworthyDelay = Duration.seconds(10)

    let mostBytes: Int
    var bytes = 0

    /// Indicates whether answers had more records than there is room for.
    var isFull = false

    var servers: DNSServers
    private var bucket: TokenBucket
    private let perSecond: Int

    /// The number of messages that were sent and are not yet paid for from the bucket. One question may need several, as along
    /// aliases and to the next server; until they are paid for, nothing else is asked again.
    private var owed = 0
    private var random: any RandomNumberGenerator & Sendable
    var entries: [ZoneQuestion: Entry] = [:]

    /// The questions that were never answered, those for lists, and the others that are to be asked again.
    var first = Deque<ZoneQuestion>()
    private var lists = Deque<ZoneQuestion>()
    private var again = Deque<ZoneQuestion>()
    var due = DeadlineHeap<ZoneQuestion>()
    var sent: [Int: Sent] = [:]
    private var lastNumber = 0
    var atOnce = Self.usuallyAtOnce

    /// The records that came with the last answer, and that nobody has asked for yet.
    var extra: [ZoneQuestion: (records: [DNSRecordData], lifetime: Duration)] = [:]

    /// The questions of which something else is known than before.
    var changed: Set<ZoneQuestion> = []

    /// The number of first questions that wait for an answer, or to be asked.
    var unanswered: Set<ZoneQuestion> = []

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
    mutating func enqueue(_ question: ZoneQuestion, isUrgent: Bool = false) {
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
