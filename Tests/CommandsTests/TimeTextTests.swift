import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite struct TimeTextTests {
    /// The times that our own code writes for machines are what Foundation writes, to the digit.
    @Test func itWritesISO8601AsFoundationDoes() {
        var generator = SeededGenerator.forFuzzing("TimeTextTests")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // From 1583, when Foundation's calendar has become the Gregorian one, to 9999.
        let instants = (0..<2_000).map { _ in Double.random(in: -12_212_553_600..<253_402_300_800, using: &generator) }
        for instant in instants + [0, 0.999_9, -0.000_4, -1.5, 951_782_400.25, 1_709_164_800] {
            let date = Date(timeIntervalSince1970: instant)
            #expect(TimeText.iso8601(date) == date.formatted(style))
        }
    }

    /// A time that is none, as of a broken clock or recording, ends no program.
    @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -1e300])
    func itWritesWhatIsNoTime(_ interval: Double) {
        #expect(TimeText.iso8601(Date(timeIntervalSinceReferenceDate: interval)).count == 24)
    }

    /// A reader of a recording gets the time that was written, to the millisecond.
    @Test func itReadsWhatItWrites() throws {
        let date = Date(timeIntervalSince1970: 1_763_752_800.25)
        #expect(TimeText.date(TimeText.iso8601(date)) == date)
        #expect(TimeText.date("yesterday") == nil)
    }
}
