/// The time at which the links are to be read again after the system has reported a change. A value type: no clock, no
/// I/O.
///
/// The first change is acted on almost at once, since somebody may be waiting for it. When changes follow each other,
/// as on a host that starts and stops containers, the changes of up to a second are handled together: an interface that
/// came and went in between costs nothing.
package struct LinkPacing {
    /// The delay after a first change, because changes come in dozens.
    private static let shortest = Duration.milliseconds(20)

    /// The longest time for which changes are collected.
    private static let longest = Duration.seconds(1)

    /// The time without changes after which the next one counts as a first change again.
    private static let quietInterval = Duration.seconds(2)

    /// The time at which the links are to be read; `nil` while nothing has changed.
    package private(set) var due: ContinuousClock.Instant?

    /// The time at which they were last read, and the pause that followed.
    private var looked: ContinuousClock.Instant?
    private var pause = shortest

    package init() {}

    /// Records that something has changed.
    package mutating func noteChange(now: ContinuousClock.Instant) {
        guard due == nil else { return }
        guard let looked, now < looked + Self.quietInterval else {
            pause = Self.shortest
            due = now + Self.shortest
            return
        }
        pause = min(pause * 2, Self.longest)
        due = max(now + Self.shortest, looked + pause)
    }

    /// Requests that the links are read at this time, whether anything changes or not.
    package mutating func lookAgain(at time: ContinuousClock.Instant) {
        due = min(time, due ?? time)
    }

    /// Records that the links are being read.
    package mutating func noteLook(now: ContinuousClock.Instant) {
        due = nil
        looked = now
    }
}
