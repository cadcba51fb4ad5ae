internal import DNSSD
internal import Synchronization

/// Tells the service manager again and again that the agent makes progress, for as long as each part does that must never
/// hang: when one is stuck, the service manager is told nothing, and starts the agent anew.
final class Watchdog: Sendable {
    /// A part that must never hang.
    struct Subject: Sendable {
        let name: String

        /// Returns when the part has made progress.
        let beat: @Sendable () async -> Void
    }

    private let subjects: [Subject]
    private let interval: Duration
    private let clock: any MonotonicClock
    private let tell: @Sendable () -> Void
    private let pulse: Mutex<Pulse>

    /// - Parameters:
    ///   - interval: The time within which the service manager expects a sign of life.
    ///   - tell: Gives it one.
    init(
        _ subjects: [Subject],
        interval: Duration,
        clock: any MonotonicClock = ContinuousClock(),
        tell: @escaping @Sendable () -> Void
    ) {
        self.subjects = subjects
        self.interval = interval
        self.clock = clock
        self.tell = tell
        pulse = Mutex(Pulse(of: subjects.map(\.name), now: clock.now))
    }

    /// Runs until the task is cancelled. A part that is stuck by then is waited for.
    func run() async {
        // Twice for each interval, as sd_watchdog_enabled(3) recommends: one sign may come late.
        let pause = interval / 2
        await withDiscardingTaskGroup { group in
            for subject in subjects {
                group.addTask { [clock] in
                    repeat {
                        await subject.beat()
                        self.pulse.withLock { $0.beat(of: subject.name, now: clock.now) }
                    } while (try? await clock.sleep(for: pause / 2)) != nil
                }
            }
            repeat {
                let stuck = pulse.withLock { $0.stuck(for: pause, now: clock.now) }
                if stuck.isEmpty { tell() }
            } while (try? await clock.sleep(for: pause)) != nil
            group.cancelAll()
        }
    }
}
