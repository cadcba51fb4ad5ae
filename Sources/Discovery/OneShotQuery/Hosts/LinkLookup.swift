package import DNSSD
internal import HostSystem

/// Questions to all hosts of the link.
package enum OnLink {
    /// Returns the addresses of a host; none when nobody answers in time, or the system provides no socket.
    ///
    /// - Parameters:
    ///   - name: The host, such as `studio.local`.
    ///   - limit: The longest time that the look-up may take. It ends sooner once there is an answer, and when the task
    ///     is cancelled.
    ///   - clock: The clock that decides when to ask again, and when to end.
    package static func addresses(
        of name: DomainName,
        within limit: Duration,
        clock: some MonotonicClock = ContinuousClock()
    ) async -> [IPAddress] {
        await LinkLookup.answers(to: HostQuestion(id: .random(in: 1 ... .max), name: name), within: limit, clock: clock)
    }

    /// Returns the service types of the other hosts, sorted; none when the system provides no socket.
    ///
    /// - Parameters:
    ///   - time: The time for which to ask. It ends sooner when the task is cancelled.
    ///   - clock: The clock that decides when to ask again, and when to end.
    package static func serviceTypes(
        within time: Duration,
        clock: some MonotonicClock = ContinuousClock()
    ) async -> [ServiceType] {
        await LinkLookup.answers(to: TypeQuestion(id: .random(in: 1 ... .max)), within: time, clock: clock)
    }
}

/// A question to all hosts of the link by multicast DNS, on a thread and ports that all of them share.
///
/// The question is not sent to this host: its own name is known without a question, and its daemon would take the
/// question for one that is answered by multicast.
actor LinkLookup<Question: LinkQuestion> {
    /// The time until the question is first repeated, which doubles each time (RFC 6762 §5.2).
    private static var firstInterval: Duration { .seconds(1) }

    private let loop: SocketLoop
    private let clock: any MonotonicClock
    nonisolated let answers: AsyncStream<[Question.Answer]>
    private let answering: AsyncStream<[Question.Answer]>.Continuation
    private(set) var question: Question
    private var reader = DatagramReader()
    private var ports: [ServicePath: LinkPort] = [:]
    private var interval = LinkLookup.firstInterval
    private var askAt: ContinuousClock.Instant?
    private var end: ContinuousClock.Instant

    /// The time of the next turn: the time of the next question, or the end.
    var deadline: ContinuousClock.Instant { min(askAt ?? end, end) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Asks until the time is up, and returns the answers; none when the system provides no socket.
    static func answers(
        to question: Question,
        within limit: Duration,
        clock: some MonotonicClock
    ) async -> [Question.Answer] {
        guard let lookup = LinkLookup(question, within: limit, clock: clock) else { return [] }
        await lookup.begin(on: Link.all())
        var found: [Question.Answer] = []
        for await answers in lookup.answers { found = answers }
        await lookup.close()
        return found
    }

    /// Creates a look-up, and the thread that all of them run on if there is none; `nil` when the system provides none.
    init?(_ question: Question, within limit: Duration, clock: some MonotonicClock) {
        guard let loop = try? SocketLoop.shared(name: "mdns-host", clock: clock) else { return nil }
        self.loop = loop
        self.clock = clock
        self.end = clock.now + limit
        self.question = question
        (self.answers, self.answering) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Opens the ports and asks.
    func begin(on links: [Link]) {
        for link in links {
            for family in link.families {
                let path = ServicePath(interface: link.interface, family: family)
                // A link without a port is not asked on.
                ports[path] = try? LinkPort(
                    .asking,
                    on: path,
                    group: MulticastGroup.endpoint(on: path),
                    loop: loop,
                    whenReadable: { [weak self] in self?.assumeIsolated { $0.read(path, of: link) } }
                )
            }
        }
        askAt = clock.now
        turn()
    }

    /// Closes the ports.
    func close() {
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        ports.close()
    }

    private func read(_ path: ServicePath, of link: Link) {
        _ = ports[path]?.read(with: &reader) { receive($0.bytes, from: $0.source, on: link) }
        turn()
    }

    /// Handles a received packet. After the first answer, a look-up that waits for no others soon ends.
    func receive(_ bytes: [UInt8], from source: SocketAddress, on link: Link) {
        let isFirst = question.answers.isEmpty
        question.receive(bytes, from: source, on: link)
        guard isFirst, !question.answers.isEmpty, let time = Question.timeAfterFirstAnswer else { return }
        end = min(end, clock.now + time)
    }

    /// Asks if a question is due, and ends the look-up when its time is up.
    func turn() {
        let now = clock.now
        guard now < end, !ports.isEmpty else {
            answering.yield(question.answers)
            answering.finish()
            return
        }
        if let time = askAt, time <= now {
            for port in ports.values {
                // A packet that cannot be sent now, as on a new address, is sent the next time.
                for packet in question.packets { try? port.send(packet) }
            }
            askAt = now + interval
            interval *= 2
        }
        loop.setDeadline(deadline, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.turn() }
        }
    }
}
