internal import DNSMessages
package import DNSSD
internal import HostSystem

/// A look-up of one host of the link by multicast DNS, on a thread and ports of its own, for systems whose resolver
/// does not do that.
///
/// The question is not sent to this host: its own name is known without a question, and its daemon would take the
/// question for one that is answered by multicast.
package actor HostLookup {
    /// The time to wait for the other family and the other links once there is an address.
    private static let timeAfterFirstAddress = Duration.milliseconds(200)

    /// The time until the question is first repeated, which doubles each time (RFC 6762 §5.2).
    private static let firstInterval = Duration.seconds(1)

    private let loop: SocketLoop
    private let clock: any MonotonicClock
    nonisolated let answers: AsyncStream<[IPAddress]>
    private let answering: AsyncStream<[IPAddress]>.Continuation
    private(set) var question: HostQuestion
    private var reader = DatagramReader()
    private var ports: [ServicePath: LinkPort] = [:]
    private var interval = HostLookup.firstInterval
    private var askAt: ContinuousClock.Instant?
    private var end: ContinuousClock.Instant

    /// The time of the next turn: the time of the next question, or the end.
    var deadline: ContinuousClock.Instant { min(askAt ?? end, end) }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

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
        guard let lookup = HostLookup(name, within: limit, clock: clock) else { return [] }
        await lookup.begin(on: Link.all())
        var found: [IPAddress] = []
        for await addresses in lookup.answers { found = addresses }
        await lookup.close()
        return found
    }

    /// Creates a look-up, and the thread that all of them run on if there is none; `nil` when the system provides none.
    init?(_ name: DomainName, within limit: Duration, clock: some MonotonicClock) {
        guard let loop = try? SocketLoop.shared(name: "mdns-host", clock: clock) else { return nil }
        self.loop = loop
        self.clock = clock
        self.end = clock.now + limit
        self.question = HostQuestion(id: .random(in: 1 ... .max), name: name)
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

    /// Handles a received packet. After the first address, the look-up soon ends.
    func receive(_ bytes: [UInt8], from source: SocketAddress, on link: Link) {
        let isFirst = question.addresses.isEmpty
        question.receive(bytes, from: source, on: link)
        if isFirst, !question.addresses.isEmpty { end = min(end, clock.now + Self.timeAfterFirstAddress) }
    }

    /// Asks if a question is due, and ends the look-up when its time is up.
    func turn() {
        let now = clock.now
        guard now < end, !ports.isEmpty else {
            answering.yield(question.addresses)
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
