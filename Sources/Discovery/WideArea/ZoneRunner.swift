internal import DNSSD
internal import HostSystem

/// Questions to zones, as they are run: they say what to ask when, and take what has become of it.
protocol ZoneWork: Sendable {
    /// The time at which something is to be done; `nil` while nothing is.
    var deadline: ContinuousClock.Instant? { get }

    /// Returns the questions that are to be sent now.
    mutating func orders(now: ContinuousClock.Instant) -> [ZoneQuestions.Order]

    /// Takes in what has become of an order.
    mutating func take(_ result: Result<[UInt8], DNSExchangeError>, of number: Int, now: ContinuousClock.Instant)
}

/// The actor that runs questions to zones, on the thread of its transport.
actor ZoneRunner<Work: ZoneWork> {
    private let transport: DNSTransport
    private let loop: SocketLoop
    private let clock = ContinuousClock()
    private let step: @Sendable (inout Work) -> Bool
    private(set) var work: Work
    private let (orders, ordering) = AsyncStream.makeStream(of: ZoneQuestions.Order.self)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - work: The questions.
    ///   - step: Called after each change, on the thread of the transport. Nothing more is asked once it returns `false`.
    /// - Throws: The system's error if it provides no descriptor or thread.
    init(_ work: Work, step: @escaping @Sendable (inout Work) -> Bool) throws(SystemError) {
        loop = try SocketLoop.shared(name: "dns")
        transport = DNSTransport(loop: loop, clock: clock)
        self.work = work
        self.step = step
    }

    /// Asks until the task is cancelled or there is nothing to ask any more. Nothing is reported after this has returned.
    func run() async {
        advance()
        await withDiscardingTaskGroup { group in
            for await order in orders {
                group.addTask { await self.send(order) }
            }
            group.cancelAll()
        }
        ordering.finish()
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
    }

    private func send(_ order: ZoneQuestions.Order) async {
        let result: Result<[UInt8], DNSExchangeError>
        do throws(DNSExchangeError) {
            let (message, timeout) = (order.message, order.timeout)
            let answer = try await transport.exchange(message, with: order.server, over: order.carrier, within: timeout)
            result = .success(answer)
        } catch {
            result = .failure(error)
        }
        // What ends with the task says nothing of the server.
        guard !Task.isCancelled else { return }
        work.take(result, of: order.number, now: clock.now)
        advance()
    }

    /// Sends what is to be asked, and tells what is new.
    private func advance() {
        for order in work.orders(now: clock.now) { ordering.yield(order) }
        guard step(&work) else { return ordering.finish() }
        loop.setDeadline(work.deadline, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.advance() }
        }
    }
}
