internal import DNSSD

/// The search for the services that lead to this host and are its own. A value: no clock, no I/O.
///
/// Any host can publish a service that leads to an address of ours. If a program of this host answers for its services
/// itself, and not through the daemon, the daemon does not know them as this host's own. But the program answers a
/// question that does not leave this host, from an address of this host, and nobody else can know the question's id.
struct OwnServices {
    /// A service that is asked for.
    private struct Inquiry {
        let sighting: Sighting

        /// The number of times that the service has been asked for, and the time at which it is asked for again or
        /// given up.
        var tries = 0
        var next: ContinuousClock.Instant
    }

    /// A name to ask for on a path.
    struct Question: Hashable {
        let name: DomainName
        let path: ServicePath
    }

    /// The number of times that each service is asked for, and the time that an answer may take.
    private static let tries = 2
    private static let answerTimeout = Duration.milliseconds(500)

    /// The largest number of services that are asked for at the same time, and of questions per second: forged services
    /// cost no more than that.
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

    /// The time at which ``takeQuestions(now:)`` has questions to return.
    var deadline: ContinuousClock.Instant? { inquiries.values.lazy.map(\.next).min() }

    /// Indicates whether any service is being asked for.
    var isAsking: Bool { !inquiries.isEmpty }

    /// Indicates whether an answer may still come on a path.
    func isAsking(on path: ServicePath) -> Bool { inquiries.keys.contains { $0.path == path } }

    /// Handles a sighting of a service that the backend has resolved, or about which it knows something new.
    ///
    /// - Parameter path: The path on which to ask.
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

    /// Returns the questions that are to be asked now.
    mutating func takeQuestions(now: ContinuousClock.Instant) -> [Question] {
        var questions: [Question] = []
        for (question, inquiry) in inquiries where inquiry.next <= now {
            guard inquiry.tries < Self.tries else {
                inquiries[question] = nil
                continue
            }
            inquiries[question]?.next = now + Self.answerTimeout
            guard budget.take(now: now) else { continue }
            inquiries[question]?.tries += 1
            questions.append(question)
        }
        return questions
    }

    /// Handles an answer from a program of this host.
    ///
    /// - Returns: The services that are this host's own, with exactly the host and port that the backend sees.
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
