internal import Discovery
@preconcurrency internal import Dispatch
internal import GatewayClient

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The wishes of whoever runs the tool. Only the tool catches signals, never a library of ours.
///
/// SIGINT and SIGTERM are taken by a queue of their own, since the threads that do the work may all stand still at an output
/// that nobody reads. The first is a request: what was published is withdrawn, and the results are written. The
/// second ends the process at once, and so does the time that the first leaves it.
enum Signals {
    /// The time that the process may live on after the first signal.
    private static let patience = Duration.milliseconds(1_900)

    /// The part of `patience` that may go by while nobody reads the output: the rest is for saying goodbye.
    static let readerPatience = Duration.seconds(1)

    /// The time at which the first signal came; `nil` before.
    private static let request = Broadcast<ContinuousClock.Instant?>(nil)

    /// The time at which the first signal came; `nil` before.
    static var requestedAt: ContinuousClock.Instant? { request.value }

    /// The number of descriptors that must be free. Dispatch needs one for each signal and five for itself, and ends the
    /// process when it does not get those.
    private static let descriptors = 8

    /// Begins to take signals. Where there are hardly any descriptors they end the process at once, as without.
    static func prepare() {
        guard GatewayLoops.areFree(descriptors) else { return }
        let queue = DispatchQueue(label: "clawradar.signals")
        for number in [SIGINT, SIGTERM] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // It lives as long as its handler, which has it, and so for ever.
            source.setEventHandler { withExtendedLifetime(source) { take(number) } }
            // A signal that comes before all is ready ends the process, as it should.
            source.activate()
        }
    }

    /// Waits until the user (Ctrl-C) or the system asks to end. Returns at once when the task is cancelled.
    static func waitForEnd() async {
        for await time in request.stream(limit: 1) where time != nil { return }
    }

    private static func take(_ number: Int32) {
        guard requestedAt == nil else { endProcess(number) }
        request.send(.now)
        DispatchQueue(label: "clawradar.last-resort")
            .asyncAfter(deadline: .now() + patience / .seconds(1)) { endProcess(number) }
    }

    /// Ends the process as if the signal had not been caught.
    private static func endProcess(_ number: Int32) -> Never {
        Screen.leaveAtOnce()
        TerminalDialogue.restore()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container is not ended by signals.
        _exit(128 + number)
    }
}
