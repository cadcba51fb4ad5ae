package import Reports

/// One moment, by the clock that measures and by the one that people read.
package struct Moment: Hashable, Sendable {
    package let instant: ContinuousClock.Instant
    package let time: Timestamp

    /// The minute of the day, in local time.
    package let minuteOfDay: Int

    /// This moment.
    package static var now: Moment {
        let time = Timestamp.now
        return Moment(instant: .now, time: time, minuteOfDay: TimeZoneOffset.current.minuteOfDay(time))
    }

    /// Returns the instant at a time in the past; now for one in the future.
    func instant(of time: Timestamp) -> ContinuousClock.Instant {
        instant - .milliseconds(max(0, self.time.milliseconds - time.milliseconds))
    }
}
