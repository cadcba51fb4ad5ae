import Foundation
import Testing

@testable import Discovery

/// The table of timers in the guide agrees with the constants in the code.
@Suite struct GuideTests {
    /// Returns a duration in the notation of the guide.
    private func text(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }

    @Test func theTableOfTimersIsTrue() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = root.appending(path: "Sources/Discovery/Discovery.docc/OneShotQuery/OneShotQuery.md")
        let lines = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").map(String.init)
        let configuration = OneShotConfiguration()
        let silence = OutageQuestions.intervals
        let rows: [(timer: String, figures: [String])] = [
            (
                "repetition",
                [
                    text(configuration.repetitionDelay), "\(configuration.repetitions) times",
                    "\(text(FirstQuestion.longestAnswer)) at most",
                ]
            ),
            (
                "follow-up",
                [
                    text(configuration.gatheringTime), "\(text(configuration.answerTime)) at most",
                    "\(configuration.rounds) times",
                ]
            ),
            ("rest", ["\(CutAnswers.maximumQuestions) times"]),
            ("question to all", [text(configuration.backendTime)]),
            ("listening", [text(configuration.listeningTime)]),
            ("check", [text(configuration.checkInterval), "\(configuration.checksPerSecond) rows"]),
            ("naming", [text(InstanceChecks.namingDelay)]),
            ("judgement", [text(InstanceChecks.checkTime), "\(OneShotQuery.allowedMisses + 1) checks"]),
            (
                "reconfirmation",
                [text(InstanceChecks.checkTime), "\(OneShotQuery.reconfirmationsPerRound) on each path"]
            ),
            ("goodbyes", [text(GoodbyeListening.backendHead)]),
            (
                "overload",
                [
                    text(OverloadQuestions.delay), text(OverloadQuestions.interval),
                    "after \(OverloadQuestions.questionsBeforeBackoff) of them",
                ]
            ),
            (
                "silence",
                [
                    text(OutageQuestions.delay), text(OutageQuestions.startTime), "every \(text(silence.first))",
                    "after \(silence.count) questions", "up to \(text(silence.longest))",
                    "until \(text(OutageQuestions.fadingTime))",
                ]
            ),
        ]
        for (timer, figures) in rows {
            let row = try #require(lines.first { $0.hasPrefix("| \(timer) |") }, "no row for \(timer)")
            for figure in figures { #expect(row.contains(figure), "\(timer): \(figure)") }
        }
    }
}
