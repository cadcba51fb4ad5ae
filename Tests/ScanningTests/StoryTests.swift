import TestSupport
import Testing

@testable import Scanning

/// Whatever happens, when everything due has been asked: what answers is shown as answering, in one row, under the id that
/// it had; what is silent is not; what is not there leaves nothing; who came later leads nothing; no record joins two rows.
@Suite struct StoryTests {
    @Test func everyStoryEndsWell() {
        var random = SeededGenerator.forFuzzing("stories of scans")
        // Some milliseconds each: `CLAWRADAR_STORIES` says how many where somebody has the time.
        for number in 0..<(TestCases.number(of: "CLAWRADAR_STORIES") ?? TestCases.count(10_000)) {
            let story = ScanStory(using: &random)
            guard !story.problems().isEmpty else { continue }
            let shortest = story.minimised()
            Issue.record("story \(number): \(shortest.problems().joined(separator: "; "))\n\(shortest)")
            return
        }
    }
}
