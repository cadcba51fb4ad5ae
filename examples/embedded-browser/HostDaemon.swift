import Logging
import ServiceLifecycle

/// A placeholder for the real work of the daemon. It reads the directory whenever it likes, and never waits for it.
struct HostDaemon: Service {
    let directory: GatewayDirectory
    let logger: Logger

    func run() async throws {
        var round = 0
        for await _ in Ticks(every: .seconds(2)).cancelOnGracefulShutdown() {
            round += 1
            let names = await directory.gateways.map { GatewayDirectory.text(of: $0) }
            logger.info(
                "round \(round): my own work is done; gateways: \(names) (discovery \(directory.condition))"
            )
        }
        logger.info("the daemon has ended")
    }
}

/// A sequence with one element after each interval, until the task is cancelled.
struct Ticks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let interval: Duration

    init(every interval: Duration) {
        self.interval = interval
    }

    func makeAsyncIterator() -> Ticks { self }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Void? {
        try? await Task.sleep(for: interval)
        return Task.isCancelled ? nil : ()
    }
}
