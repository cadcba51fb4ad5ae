internal import Discovery
internal import Pairing
internal import Scanning

/// The first look of an agent: what is there has been found and asked, and the sessions have been tried. Before it is over,
/// what the agent knows is less than what there is.
final class FirstLook: Sendable {
    /// The time without a new finding after which it is over.
    private static let quiet = Duration.seconds(1)

    /// The time for which a daemon that is not available is waited for.
    private static let daemonTimeout = Duration.seconds(1)

    /// The maximum duration, from the time at which the scanner begins.
    private static let limit = Duration.seconds(5)

    private let isOver = Broadcast(false)

    /// Looks with the first scanner that runs.
    func run(_ scannerPart: ScannerPart, _ sessionsPart: SessionsPart) async {
        for await scanner in scannerPart.scanners {
            guard let scanner else { continue }
            let deadline = ContinuousClock.now + Self.limit
            await scanner.look(quiet: Self.quiet, availabilityTimeout: Self.daemonTimeout, until: deadline)
            await sessionsPart.connections?.settle(until: deadline)
            return isOver.send(true)
        }
    }

    /// Waits until it is over.
    ///
    /// - Parameter deadline: The latest time at which to return.
    func wait(until deadline: ContinuousClock.Instant) async {
        _ = await isOver.first(until: deadline) { $0 }
    }
}
