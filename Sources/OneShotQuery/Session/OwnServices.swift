internal import DNSMessages
internal import DNSSD

/// Finding out which of the services that lead to this host are its own. A value: no clock, no I/O.
///
/// Any host can publish what leads to an address of ours. A program of this host that answers for its services itself, and
/// not through the daemon, is nobody's to the daemon; but it answers a question that does not leave this host, from an
/// address of this host, and nobody else can know the question's id.
struct OwnServices {
    /// A service that is asked for.
    private struct Inquiry {
        let sighting: Sighting

        /// The number of times that it has been asked for, and when it is asked for again or given up.
        var tries = 0
        var next: ContinuousClock.Instant
    }

    /// A name to ask for on a path.
    struct Question: Hashable {
        let name: DomainName
        let path: ServicePath
    }

    /// The number of times that each is asked for, and the time that an answer may take.
    private static let tries = 2
    private static let patience = Duration.milliseconds(500)

    /// The number of those that are asked for at once, and how many questions are asked in a second: forged services cost
    /// no more.
    private static let limit = 1_024
    private static let questionsPerSecond = 256

    private var inquiries: [Question: Inquiry] = [:]
    private var budget: TokenBucket

    init(now: ContinuousClock.Instant) {
        self.budget = TokenBucket(
            capacity: Self.questionsPerSecond,
            perSecond: Self.questionsPerSecond,
            now: now
        )
    }

    /// The time at which ``takeQuestions(now:)`` has something.
    var deadline: ContinuousClock.Instant? { inquiries.values.lazy.map(\.next).min() }

    /// Indicates whether anything is asked for.
    var isAsking: Bool { !inquiries.isEmpty }

    /// Indicates whether somebody may still answer on a path.
    func isAsking(on path: ServicePath) -> Bool { inquiries.keys.contains { $0.path == path } }

    /// The backend has resolved a service, or knows something new of it.
    ///
    /// - Parameter path: Where to ask.
    mutating func sighted(
        _ sighting: Sighting,
        on path: ServicePath,
        isOwnAddress: (IPAddress) -> Bool,
        now: ContinuousClock.Instant
    ) {
        guard let name = try? DomainName(escaped: sighting.instance.fullName) else { return }
        let question = Question(name: name, path: path)
        guard !sighting.isOwn, sighting.resolution == .resolved, sighting.addresses.contains(where: isOwnAddress) else {
            inquiries[question] = nil
            return
        }
        guard inquiries[question] != nil || inquiries.count < Self.limit else { return }
        inquiries[question] = Inquiry(sighting: sighting, next: now)
    }

    /// Takes out what is to be asked now.
    mutating func takeQuestions(now: ContinuousClock.Instant) -> [Question] {
        var questions: [Question] = []
        for (question, inquiry) in inquiries where inquiry.next <= now {
            guard inquiry.tries < Self.tries else {
                inquiries[question] = nil
                continue
            }
            inquiries[question]?.next = now + Self.patience
            guard budget.take(now: now) else { continue }
            inquiries[question]?.tries += 1
            questions.append(question)
        }
        return questions
    }

    /// Somebody of this host has answered.
    ///
    /// - Returns: The services that are this host's own, at the very host and port that the backend sees.
    mutating func takeAnswer(_ message: DNSMessage, from source: IPAddress, on path: ServicePath) -> [Sighting] {
        var own: [Sighting] = []
        for record in message.answers + message.additionals where record.ttl > 0 {
            let question = Question(name: record.name, path: path)
            guard case .srv(let location) = record.data, let inquiry = inquiries[question] else { continue }
            var sighting = inquiry.sighting
            guard location.port == sighting.port, location.target == sighting.host else { continue }
            inquiries[question] = nil
            sighting.isOwn = true
            let addresses = sighting.addresses
            var sources = sighting.heardFrom
            Sighting.add(source, to: &sources) { addresses.contains($0) }
            sighting.heardFrom = sources
            own.append(sighting)
        }
        return own
    }
}
