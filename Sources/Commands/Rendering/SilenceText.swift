internal import Agent
internal import Console
internal import DNSSD
internal import Reports

/// The things of which the user is not told now, and until when, for people.
enum SilenceText {
    /// Returns the same as ``lines(_:at:)``, if it is known in time: the history may be on a disk that hangs, or be kept by
    /// another process. A warning says where it is not.
    ///
    /// - Parameter timeout: The time that it may take.
    static func lines(within timeout: Duration, warn: (String) -> Void = Notes.warning) async -> [String] {
        if let lines = await HeldUp.wait(for: timeout, { lines(NoticeStoreAccess.existing) }) { return lines }
        warn("what is not told now is not known: the history does not answer in time.")
        return []
    }

    /// Returns lines as a text.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be broken.
    static func text(_ lines: [String], width: Int?) -> String {
        lines.flatMap { WrappedText.lines($0, first: "", width: width) }.map { $0 + "\n" }.joined()
    }

    /// Returns a line for the quiet hours in force, and one for each mute; none if all is told. What cannot be read is left
    /// out: others say why.
    ///
    /// - Parameters:
    ///   - store: The history, which has the names of gateways.
    ///   - mutes: The times until which gateways are muted, by their keys; `nil` for those that the history has.
    ///   - moment: The time.
    static func lines(
        _ store: NoticeStore?,
        muted mutes: [String: Timestamp]? = nil,
        at moment: Moment = .now
    ) -> [String] {
        let hours = (try? SettingsReader(advertised: []).settings { _ in })?.notify.value.policy.quietHours
        guard let store, let mutes = mutes ?? (try? store.mutes(at: moment.time)), !mutes.isEmpty,
            let gateways = try? store.history(since: moment.time, now: moment.time).named(KnownNames.stored())
                .gateways
        else { return lines(hours, muted: [], at: moment) }
        let names = Dictionary(gateways.map { ($0.key, $0.name) }) { first, _ in first }
        return lines(hours, muted: mutes.map { key, until in (names[key] ?? key, until) }, at: moment)
    }

    /// Returns the lines for quiet hours, if it is within them, and for gateways that are muted.
    static func lines(_ hours: QuietHours?, muted: [(name: String, until: Timestamp)], at moment: Moment) -> [String] {
        var lines: [String] = []
        if let hours, hours.contains(minuteOfDay: moment.minuteOfDay) {
            lines.append("quiet hours (\(hours)): nothing is told now; what still is so at their end is told then")
        }
        return lines
            + muted.map { (DisplayText($0.name, limit: 64).text, $0.until) }.sorted { $0 < $1 }
            .map { name, until in "nothing is told of \(name) until \(TimeText.localDay(until))" }
    }
}
