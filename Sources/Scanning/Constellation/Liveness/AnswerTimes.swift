package import DNSSD
internal import Synchronization

/// The times at which endpoints last answered, for whoever has to know how long ago that was.
///
/// They are no part of the map: they change with every check and every sign of life of a session, which is no news.
package final class AnswerTimes: Sendable {
    /// The maximum number of endpoints.
    static let most = 4_096

    /// The age of a time from which on it makes room for another one.
    private static let longestAge = Duration.seconds(120)

    /// The times; `nil` as long as nobody wants them.
    private let times = Mutex<[Endpoint: ContinuousClock.Instant]?>(nil)

    /// Keeps the times from now on.
    package func begin() {
        times.withLock { $0 = $0 ?? [:] }
    }

    /// Takes in that an endpoint has answered. Beyond the maximum, endpoints that are not known yet are left out.
    package func note(_ endpoint: Endpoint, at time: ContinuousClock.Instant) {
        times.withLock { times in
            guard let known = times else { return }
            if known.count >= Self.most, known[endpoint] == nil {
                let kept = known.filter { time - $0.value < Self.longestAge }
                times = kept
                guard kept.count < Self.most else { return }
            }
            times?[endpoint] = time
        }
    }

    /// The times at which endpoints last answered since somebody wants them.
    package var all: [Endpoint: ContinuousClock.Instant] { times.withLock { $0 ?? [:] } }
}
