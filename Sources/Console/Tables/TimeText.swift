internal import Glibc
package import Reports

/// Points in time as text.
package enum TimeText {
    /// The current time of day in the local time zone.
    package static var now: String { local(.now) }

    /// Returns the time of day in the local time zone, such as `14:03:09`.
    package static func local(_ time: Timestamp) -> String {
        var seconds = time_t(time.secondsRoundedDown)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Self.time(time, offset: Int(parts.tm_gmtoff))
    }

    /// Returns the day and time in the local time zone, such as `2026-11-23 14:03`.
    package static func localDay(_ time: Timestamp) -> String {
        var seconds = time_t(time.secondsRoundedDown)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let here = Timestamp(milliseconds: time.milliseconds + Int(parts.tm_gmtoff) * 1_000)
        return String(here.description.prefix(16)).replacing("T", with: " ")
    }

    /// Returns the time of day at an offset from UTC in seconds, positive to the east.
    static func time(_ time: Timestamp, offset: Int) -> String {
        let second = (time.secondsRoundedDown + offset) % 86_400
        let ofDay = second < 0 ? second + 86_400 : second
        return [ofDay / 3_600, ofDay / 60 % 60, ofDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// Returns a text such as `12.3 ms`.
    package static func milliseconds(_ time: Duration) -> String {
        let tenths = time.components.seconds * 10_000 + time.components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

extension Timestamp {
    /// The whole seconds since the beginning of 1970, rounded down.
    fileprivate var secondsRoundedDown: Int {
        let seconds = milliseconds / 1_000
        return milliseconds % 1_000 < 0 ? seconds - 1 : seconds
    }
}
