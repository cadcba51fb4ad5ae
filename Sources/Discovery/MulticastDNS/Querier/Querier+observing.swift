internal import DNSSD

/// Learning from the questions of other queriers.
extension Querier {
    /// The highest number of questions that are examined in one message, and the highest number of known answers that
    /// the message may hold.
    private static let observedQuestions = 64
    private static let observedAnswers = 256

    /// The size of a set above which it is not watched for missing answers.
    private static let observedSetSize = 256

    /// The highest number of questions that are watched at once.
    private static let maximumObservations = 1_024

    /// Learns from a query of another host, or of another process of this one.
    mutating func observe(_ message: DNSMessage) {
        // With TC set, more known answers follow in other packets, so that it is not known which ones the other host
        // lacks.
        guard !message.flags.isTruncated, message.answers.count <= Self.observedAnswers else { return }
        for question in message.questions.prefix(Self.observedQuestions) where question.dnsClass == .internet {
            // An answer to a QU question may go to the other host alone.
            guard !question.isUnicastWanted else { continue }
            let key = RecordKey(question.name, question.type)
            let known = message.answers.filter { $0.type == key.type && $0.name == key.name }
            suppress(key, known)
            noteUnanswered(key, known)
        }
    }

    /// Counts our question as sent if another querier has just asked it and knows no answer that we do not know (RFC
    /// 6762 §7.3).
    private mutating func suppress(_ key: RecordKey, _ known: [DNSRecord]) {
        guard let next = questions[key]?.next, known.allSatisfy({ cache.contains($0.data, for: key) }) else { return }
        guard questions[key]?.suppress(at: now) == true, let later = questions[key]?.next, later != next else { return }
        queue.insert(.question(key), at: later)
        names[key.name]?.lastAsked = now
    }

    /// Watches a question of another querier that known records should answer: if nobody answers it twice, they are
    /// probably out of date (RFC 6762 §10.5).
    private mutating func noteUnanswered(_ key: RecordKey, _ known: [DNSRecord]) {
        let count = cache.count(of: key)
        guard count > 0, count <= Self.observedSetSize else { return }
        // Responders do not send what the other querier lists as known.
        guard !known.contains(where: { cache.contains($0.data, for: key) }) else { return }
        guard var observation = observations[key], now < observation.first + .seconds(60) else {
            if observations.count >= Self.maximumObservations {
                observations = observations.filter { $0.value.last + .seconds(10) > now }
            }
            if observations.count < Self.maximumObservations {
                observations[key] = PassiveFailureObservation(first: now, last: now)
            }
            return
        }
        guard now >= observation.last + .seconds(1) else { return }
        observation.last = now
        observation.count += 1
        observations[key] = observation
        if observation.count == 2 { queue.insert(.failureObservation(key), at: now + .seconds(10)) }
    }

    /// Ends the observation of a question, ten seconds after it was asked for the second time without an answer: doubts
    /// the records that should have answered it.
    mutating func endObservation(_ key: RecordKey, using random: inout some RandomNumberGenerator) {
        guard let observation = observations[key], observation.count >= 2, now >= observation.last + .seconds(1)
        else { return }
        observations[key] = nil
        // A responder does not repeat a record that it sent within the second before (RFC 6762 §6).
        let unanswered = cache[key].filter { $0.lifetime.received + .seconds(1) < observation.first }.map(\.data)
        for data in unanswered { cache.doubt(data, for: key, now: now, using: &random) }
    }
}

/// The questions of other hosts that a record known here should have answered (RFC 6762 §10.5).
struct PassiveFailureObservation {
    /// The time at which the first question was received.
    let first: ContinuousClock.Instant

    /// The time at which the last question that counts was received.
    var last: ContinuousClock.Instant

    /// The number of questions, not counting those that followed another within a second.
    var count = 1
}
