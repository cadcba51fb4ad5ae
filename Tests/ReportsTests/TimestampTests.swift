import DNSSD
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Reports

@Suite struct TimestampTests {
    /// Timestamps are written exactly as Foundation writes them.
    @Test func itIsWrittenAsFoundationWritesIt() {
        var generator = SeededGenerator.forFuzzing("TimestampTests")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The years 1583, in which Foundation's calendar has become the Gregorian one, to 9999.
        let instants = (0..<2_000).map { _ in
            Int.random(in: -12_212_553_600_000..<253_402_300_800_000, using: &generator)
        }
        for instant in instants + [0, 999, -1, -1_500, 951_782_400_250, 1_709_164_800_000] {
            // A quarter of a millisecond is added, because Foundation rounds down fractions that have no exact binary
            // form.
            let date = Date(timeIntervalSince1970: (Double(instant) + 0.25) / 1_000)
            #expect(Timestamp(milliseconds: instant).description == date.formatted(style))
        }
    }

    /// A time outside of the years 1 to 9999, such as that of a broken clock, is written as the nearest one, and does
    /// not trap.
    @Test(arguments: [Int.min, -100_000_000_000_000, 1_000_000_000_000_000, Int.max])
    func aTimeOutsideTheYears1To9999HasADescription(milliseconds: Int) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(time.description == (milliseconds < 0 ? "0001-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"))
        #expect(time.advanced(by: .seconds(Int64.max)).description.count == 24)
    }

    @Test func itReadsWhatItWrites() {
        var generator = SeededGenerator.forFuzzing("TimestampTests, both ways")
        for _ in 0..<2_000 {
            let time = Timestamp(
                milliseconds: Int.random(in: -62_135_596_800_000..<253_402_300_800_000, using: &generator)
            )
            #expect(Timestamp(time.description) == time)
        }
    }

    @Test(arguments: [
        "", "yesterday", "2026-11-21T12:00:00Z", "2026-11-21 12:00:00.000Z", "2026-02-29T12:00:00.000Z",
        "2026-13-01T12:00:00.000Z", "2026-11-21T24:00:00.000Z", "0000-01-01T00:00:00.000Z",
        "2026-11-21T12:00:00.000Z\n",
        "+026-11-21T12:00:00.000Z",
    ])
    func nothingElseIsRead(text: String) {
        #expect(Timestamp(text) == nil)
    }

    /// Any duration is written within limits, and does not trap.
    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(Int64.min), Duration(attoseconds: .max), Duration(attoseconds: .min),
    ])
    func anyDurationIsWritten(duration: Duration) {
        let sign = duration < .zero ? "-" : ""
        #expect(OpenClawReport.line([], timeout: duration).contains("\"timeoutMs\":\(sign)1000000000000000}"))
        let scan = ServiceScanReport(services: [], source: .avahi, elapsed: duration)
        #expect(scan.line.contains("\"elapsedMs\":\(sign)1000000000000000,"))
        #expect(JSONValue(milliseconds: duration) == .number(JSONNumber(thousandths: duration.wholeMicroseconds)))
        #expect(duration.wholeMicroseconds.magnitude == 1_000_000_000_000_000_000)
        #expect(Timestamp(milliseconds: 0).advanced(by: duration).description.count == 24)
    }

    @Test func itIsAdvancedToTheMillisecond() {
        let start = Timestamp(milliseconds: 1_795_000_000_000)
        #expect(start.advanced(by: .nanoseconds(1_234_999_999)).milliseconds == 1_795_000_001_234)
    }
}
