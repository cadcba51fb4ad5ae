import TestSupport
import Testing

@testable import Scanning

/// Random short sequences of events, each with a check of the map once everything that was due has been asked.
///
/// A gateway that answers must be shown as answering, in one row, under the identifier that it had before; a silent one
/// must not be shown as answering; an endpoint that is gone leaves nothing behind; an endpoint that answered later does
/// not lead its row; and no record joins two rows that have answered. ``StoryWatcher`` has the rules.
@Suite struct StoryTests {
    @Test func everyStoryEndsWell() {
        var random = SeededGenerator.forFuzzing("stories of scans")
        // Each story takes some milliseconds; `CLAWRADAR_STORIES` sets another number of them for a longer search.
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
