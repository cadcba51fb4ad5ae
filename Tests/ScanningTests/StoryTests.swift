import TestSupport
import Testing

@testable import Scanning

/// The picture is right when everything due has been asked, whatever happens: a gateway that answers is shown as
/// answering, in one row, under the id that it had; one that is silent is not; one that is not there leaves nothing;
/// one that came later leads nothing; no record joins two rows.
@Suite struct StoryTests {
    @Test func everyStoryEndsWell() {
        var random = SeededGenerator.forFuzzing("stories of scans")
        // Some milliseconds each: `CLAWRADAR_STORIES` says how many where somebody has the time.
        let count = TestCases.number(of: "CLAWRADAR_STORIES") ?? TestCases.count(10_000)
        let problem = TestCases.firstProblem(of: count, &random) { seed in
            var random = SeededGenerator(seed: seed)
            let story = ScanStory(using: &random)
            guard !story.problems().isEmpty else { return nil }
            let shortest = story.minimised()
            return "seed \(seed): \(shortest.problems().joined(separator: "; "))\n\(shortest)"
        }
        #expect(problem == nil)
    }
}
