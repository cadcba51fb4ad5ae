import Reports
import Testing

@testable import Agent
@testable import Commands

/// `status`, `agent status` and `mute` say of what nothing is told, so that no silence is taken for good news.
@Suite struct SilenceTextTests {
    private static func lines(_ muted: [(name: String, until: Timestamp)] = [], at minute: Int) throws -> [String] {
        let hours = try #require(QuietHours("22:00-07:00"))
        return SilenceText.lines(hours, muted: muted, at: Moment(instant: .now, time: .now, minuteOfDay: minute))
    }

    @Test func quietHoursAreShownWhileTheyLast() throws {
        #expect(try Self.lines(at: 23 * 60).count == 1)
        #expect(try Self.lines(at: 23 * 60).first?.contains("22:00") == true)
        #expect(try Self.lines(at: 6 * 60).count == 1)
        #expect(try Self.lines(at: 12 * 60) == [])
    }

    /// Each mute has a line, sorted by name; a name from the network is cleaned.
    @Test func eachMuteIsShown() throws {
        let until = try #require(Timestamp("2026-11-26T12:00:00.000Z"))
        let lines = try Self.lines([("Studio", until), ("At\u{1B}[2Jtic", until)], at: 12 * 60)
        #expect(lines.count == 2 && lines[0].hasPrefix("nothing is told of At\u{FFFD}[2Jtic until"))
        #expect(lines[1].hasPrefix("nothing is told of Studio until"))
    }
}
