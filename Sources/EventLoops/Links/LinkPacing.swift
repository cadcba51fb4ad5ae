/// The time at which the links are looked at again after the system has told of a change. A value: no clock, no I/O.
///
/// The first change is looked at at once, since somebody may be waiting for it. Where they come one after the other, as where
/// containers come and go, those of up to a second are taken together: what has come and gone in between costs nothing.
package struct LinkPacing {
    /// The time that the first change waits: they come in dozens.
    private static let shortest = Duration.milliseconds(20)

    /// The longest time for which they are gathered.
    private static let longest = Duration.seconds(1)

    /// The time without any after which the next one is a first one again.
    private static let quiet = Duration.seconds(2)

    /// The time at which the links are to be looked at; `nil` while nothing has changed.
    package private(set) var due: ContinuousClock.Instant?

    /// The time at which they were last looked at, and what was to pass after that.
    private var looked: ContinuousClock.Instant?
    private var pause = shortest

    package init() {}

    /// Something has changed.
    package mutating func noteChange(now: ContinuousClock.Instant) {
        guard due == nil else { return }
        guard let looked, now < looked + Self.quiet else {
            pause = Self.shortest
            due = now + Self.shortest
            return
        }
        pause = min(pause * 2, Self.longest)
        due = max(now + Self.shortest, looked + pause)
    }

    /// They are to be looked at then, whether anything changes or not.
    package mutating func lookAgain(at time: ContinuousClock.Instant) {
        due = min(time, due ?? time)
    }

    /// They are looked at.
    package mutating func noteLook(now: ContinuousClock.Instant) {
        due = nil
        looked = now
    }
}
