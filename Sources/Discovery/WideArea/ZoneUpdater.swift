internal import DNSSD
internal import HostSystem
internal import Logging

/// Keeps services in a zone: runs a ``ZonePublisher`` for as long as there are any.
actor ZoneUpdater {
    /// The time for which wishes are collected: services that come together share an update.
    private static let pause = Duration.milliseconds(20)

    /// The longest time that a withdrawal may hold up whoever ends.
    private static let farewell = Duration.milliseconds(1_500)

    private let domain: DomainName
    private let server: ZoneServer
    private let fresh: ZonePublisher
    private let logger: Logger?
    private let clock: any MonotonicClock
    private var publisher: ZonePublisher
    private var last = 0
    private var listeners: [Int: @Sendable (PublicationState) -> Void] = [:]
    private var leaving: [Int: CheckedContinuation<Void, Never>] = [:]
    private var work: Task<Void, Never>?
    private var sleep: Task<Void, Never>?
    private var hasNews = false
    private var toldProblem: BackendError?

    init(
        _ publisher: ZonePublisher,
        _ server: ZoneServer,
        logger: Logger?,
        clock: any MonotonicClock = ContinuousClock()
    ) {
        self.domain = publisher.names.domain
        self.server = server
        self.fresh = publisher
        self.publisher = publisher
        self.logger = logger
        self.clock = clock
    }

    /// Begins to publish a service.
    ///
    /// - Returns: Its number.
    func add(_ service: ZoneService, report: @escaping @Sendable (PublicationState) -> Void) -> Int {
        last += 1
        listeners[last] = report
        publisher.publish(service, as: last)
        wake()
        return last
    }

    /// Replaces a service.
    func replace(_ number: Int, by service: ZoneService) {
        guard listeners[number] != nil else { return }
        publisher.publish(service, as: number)
        wake()
    }

    /// Removes a service, and does not wait for that.
    func drop(_ number: Int) {
        listeners[number] = nil
        publisher.withdraw(number)
        wake()
    }

    /// Removes a service, and with the last one all that was for them. Returns when that is done, or takes too long: then its
    /// lease ends by itself.
    func remove(_ number: Int) async {
        drop(number)
        let limit = Task {
            try? await clock.sleep(for: Self.farewell)
            if !Task.isCancelled { abandon(number) }
        }
        await withCheckedContinuation { leaving[number] = $0 }
        limit.cancel()
    }

    private func abandon(_ number: Int) {
        guard let continuation = leaving.removeValue(forKey: number) else { return }
        logger?.warning("the zone \(domain) may have records of it until their lease ends: its server does not answer")
        continuation.resume()
        guard listeners.isEmpty, leaving.isEmpty else { return }
        work?.cancel()
        sleep?.cancel()
        work = nil
        publisher = fresh
    }

    private func wake() {
        hasNews = true
        sleep?.cancel()
        if work == nil { work = Task { await run() } }
    }

    private func run() async {
        while !Task.isCancelled {
            if hasNews {
                hasNews = false
                try? await clock.sleep(for: Self.pause)
            }
            let step = publisher.next(now: clock.now, time: UInt64(WallClock.milliseconds / 1_000))
            if case .rest(let until) = step {
                tell()
                if publisher.isIdle, listeners.isEmpty, !hasNews { break }
                await rest(until: until)
            } else if let result = await server.carryOut(step, in: domain), !Task.isCancelled {
                publisher.receive(result, now: clock.now, time: UInt64(WallClock.milliseconds / 1_000))
            }
            guard !Task.isCancelled else { return }
            tell()
        }
        work = nil
    }

    private func rest(until instant: ContinuousClock.Instant?) async {
        guard !hasNews else { return }
        let task = Task { [clock] in
            guard let instant else { return await Task.untilCancelled() }
            try? await clock.sleep(until: instant, tolerance: nil)
        }
        sleep = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // Whoever has been abandoned meanwhile does not take the sleep of the next one.
        if sleep == task { sleep = nil }
    }

    private func tell() {
        for (number, state) in publisher.takeReports() {
            listeners[number]?(state)
            if state == .withdrawn, !publisher.isIdle, !listeners.isEmpty {
                leaving.removeValue(forKey: number)?.resume()
            }
        }
        if publisher.isIdle {
            for continuation in leaving.values { continuation.resume() }
            leaving = [:]
        }
        if let problem = publisher.pointerProblem, problem != toldProblem {
            logger?.warning("the domain above has no pointer to \(domain): \(problem)")
        }
        toldProblem = publisher.pointerProblem
    }
}
