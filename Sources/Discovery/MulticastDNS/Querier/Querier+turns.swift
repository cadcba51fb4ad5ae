internal import DNSSD
internal import DequeModule

/// Doing the work that is due.
extension Querier {
    /// Does what is due, and returns the packets to send and the events to report.
    mutating func turn(
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> QuerierActions {
        self.now = now
        recover(using: &random)
        while let event = cache.take(until: now, using: &random) { age(event, using: &random) }
        var asked: [RecordKey] = []
        while let (time, due) = queue.take(until: now) {
            switch due {
            case .question(let key):
                // The question may have been answered, or put off.
                guard questions[key]?.next == time else { break }
                if key.type == .ptr { asked.append(key) } else { inquiries.waiting.append(key) }
            case .loneQuestion(let name):
                askAlone(name, at: time)
            case .overdue(let name):
                if instances[name]?.incompleteSince != nil { reviews.instances.insert(name) }
            case .failureObservation(let key):
                endObservation(key, using: &random)
            }
        }
        for host in reviews.hosts.takeAll() {
            for name in hosts[host]?.instances.sorted() ?? [] { reviews.instances.insert(name) }
        }
        for name in reviews.instances.takeAll() { review(name, using: &random) }
        ask(asked)
        tidyQueue()
        giveBackRoom()
        defer { reports.events = [] }
        return QuerierActions(packets: outbox.take(until: now), events: reports.events)
    }

    /// The time at which ``turn(now:using:)`` is to be called.
    var deadline: ContinuousClock.Instant? {
        let inquiry = inquiries.waiting.isEmpty ? nil : now + Self.inquiryPause
        return [cache.deadline, queue.next, outbox.deadline, recovery.next, inquiry].compactMap(\.self).min()
    }

    /// Handles a record that has to be refreshed, or has expired.
    private mutating func age(_ event: RecordCache.Event, using random: inout some RandomNumberGenerator) {
        switch event {
        case .refresh(let key):
            refreshes.waiting.append(key)
        case .expired(let key, let data, let wasLeaving):
            switch data {
            case .ptr(let target):
                let instance = instances[target]?.instance
                unlist(target, from: key.name)
                if let instance, instances[target] == nil { reports.gone.append(instance) }
            case .srv:
                reviews.instances.insert(key.name)
                relink(key.name)
                // The SRV record was asked for several times without an answer: the PTR records that list the instance
                // are probably out of date as well.
                guard !wasLeaving, cache.count(of: key) == 0 else { return }
                doubtListings(of: key.name, using: &random)
            case .a, .aaaa:
                reviews.hosts.insert(key.name)
                let isLeft = cache.count(of: RecordKey(key.name, .a)) + cache.count(of: RecordKey(key.name, .aaaa)) > 0
                guard !wasLeaving, !isLeft else { return }
                for name in hosts[key.name]?.instances.sorted() ?? [] {
                    doubtAll(RecordKey(name, .srv), using: &random)
                }
            default:
                reviews.instances.insert(key.name)
            }
        }
    }

    // MARK: Questions

    /// Sends the questions that are due, and those that refresh records.
    private mutating func ask(_ asked: [RecordKey]) {
        var listings: [RecordKey] = []
        var others: [DNSQuestion] = []
        /// The questions for missing records that are asked for the second time.
        var repeated: [DNSQuestion] = []
        // The records of one name and type are often due together.
        var seen: Set<RecordKey> = []
        for key in refreshes.waiting where seen.insert(key).inserted {
            if key.type == .ptr {
                // One question refreshes all records of the name, including those that are not due yet.
                let last = names[key.name]?.lastAsked
                guard names[key.name] != nil, last.map({ now >= $0 + .seconds(1) }) ?? true else { continue }
                names[key.name]?.lastAsked = now
                listings.append(key)
                // It is the same question: the next one of the schedule would follow within a second (§5.2).
                if let next = questions[key]?.next, next < now + .seconds(1) { noteSent(key) }
            } else if refreshes.budget.take(now: now) {
                others.append(key.question)
            }
        }
        refreshes.waiting = []
        for key in asked where questions[key].map({ $0.next <= now }) == true {
            let isAsked = names[key.name]?.lastAsked == now
            names[key.name]?.lastAsked = now
            if !isAsked { listings.append(key) }
            noteSent(key)
        }
        askAlone(&listings)
        while let key = inquiries.waiting.first {
            // It may have been answered while it waited.
            let isWanted = questions[key].map { $0.next <= now } == true
            guard !isWanted || inquiries.budget.take(now: now) else { break }
            inquiries.waiting.removeFirst()
            guard isWanted else { continue }
            noteSent(key)
            guard seen.insert(key).inserted else { continue }
            if questions[key]?.count == 2 { repeated.append(key.question) } else { others.append(key.question) }
        }
        askAlone(repeated, or: &others)
        guard !listings.isEmpty || !others.isEmpty else { return }
        let known = listings.flatMap { knownAnswers(to: $0) }
        if known.isEmpty {
            outbox.append(QuestionPackets.make(listings.map(\.question) + others, limit: payload))
            return
        }
        let packets = QuestionPackets.make(
            listings.map(\.question),
            knownAnswers: known,
            limit: payload,
            maximum: Self.maximumAnswerPackets
        )
        outbox.append(packets)
        outbox.append(QuestionPackets.make(others, limit: payload))
    }

    private mutating func noteSent(_ key: RecordKey) {
        questions[key]?.sent(at: now)
        if let schedule = questions[key], !schedule.isOver { queue.insert(.question(key), at: schedule.next) }
    }

    /// The time to wait for new budget when it was used up.
    private static let inquiryPause = Duration.milliseconds(50)

    /// The highest number of packets that the known answers to one question may take.
    static let maximumAnswerPackets = 256

    /// Returns the known answers to a question: records that are not in doubt, with at least half of their TTL left
    /// (RFC 6762 §7.1).
    func knownAnswers(to key: RecordKey) -> [DNSRecord] {
        cache[key].filter { !$0.lifetime.isInDoubt && !$0.lifetime.isPastHalf(at: now) }
            .map { DNSRecord(name: key.name, ttl: $0.lifetime.secondsLeft(at: now), data: $0.data) }
    }

    /// Asks for missing records, unless they are being asked for already.
    mutating func want(_ key: RecordKey, limit: Int = .max, using random: inout some RandomNumberGenerator) {
        guard questions[key] == nil else { return }
        if inquiries.next <= now {
            // Records that belong together may come in several packets.
            inquiries.next = now + .milliseconds(Int.random(in: 20...60, using: &random))
        }
        questions[key] = QuestionSchedule(first: inquiries.next, limit: limit)
        queue.insert(.question(key), at: inquiries.next)
    }

    /// Gives back the memory of what a flood has filled, and what is gone.
    private mutating func giveBackRoom() {
        instances.giveBackRoom()
        hosts.giveBackRoom()
        questions.giveBackRoom()
        observations.giveBackRoom()
        if inquiries.waiting.isEmpty { inquiries.waiting = [] }
    }

    /// Discards obsolete entries when there are many of them.
    private mutating func tidyQueue() {
        if inquiries.waiting.count > 4 * questions.count + 1_024 {
            inquiries.waiting.removeAll { questions[$0].map { $0.next <= now } != true }
        }
        guard queue.count > 4 * (questions.count + instances.count) + 1_024 else { return }
        // Sorted, since the order is that of entries that are due at the same time. That costs no more than the many
        // insertions since the last time.
        let asked = questions.filter { !$0.value.isOver }.sorted { $0.key < $1.key }
            .map { ($0.value.next, Due.question($0.key)) }
        let overdue = instances.filter { $0.value.incompleteSince != nil }.sorted { $0.key < $1.key }
            .compactMap { name, entry in
                entry.incompleteSince.map { ($0 + Self.resolutionTimeout, Due.overdue(name)) }
            }
        let silent = observations.filter { $0.value.count >= 2 }.sorted { $0.key < $1.key }
            .map { ($0.value.last + .seconds(10), Due.failureObservation($0.key)) }
        queue.rebuild(asked + overdue + silent + plannedLoneQuestions)
    }
}
