internal import Glibc
package import Reports

/// The difference between local time and UTC: for times that people read, and for hours of the day.
package struct TimeZoneOffset: Hashable, Sendable {
    /// The difference in seconds; `nil` for that of this host at the time in question.
    let seconds: Int?

    /// The time of this host.
    package static let current = TimeZoneOffset(seconds: nil)

    /// Returns a time as people write it: `26 Nov 14:02:11`.
    package func text(_ time: Timestamp) -> String {
        let parts = parts(time)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = months.indices.contains(Int(parts.tm_mon)) ? months[Int(parts.tm_mon)] : "?"
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(parts.tm_mday) \(month) \(clock.joined(separator: ":"))"
    }

    /// Returns the minute of the day, from 0 to 1,439.
    package func minuteOfDay(_ time: Timestamp) -> Int {
        let parts = parts(time)
        return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }

    private func parts(_ time: Timestamp) -> tm {
        var parts = tm()
        var instant = time_t(time.milliseconds / 1_000 + (seconds ?? 0))
        if seconds == nil { localtime_r(&instant, &parts) } else { gmtime_r(&instant, &parts) }
        return parts
    }
}
