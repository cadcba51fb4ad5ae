import TestSupport
import Testing

@testable import Agent
@testable import AgentAPI

/// Whoever reads metrics is told what each number is, in the words of the guide.
@Suite struct MetricHelpTests {
    @Test func eachMetricOfTheGuideHasItsSentence() throws {
        let sentences = try MetricsGuide().sentences
        #expect(sentences.count > 20)
        for (label, sentence) in sentences { #expect(MetricHelp.text(label) == sentence, "\(label)") }
    }

    /// `promtool check metrics` finds fault with a metric that has none.
    @Test(.timeLimit(.minutes(1))) func eachMetricOfTheAgentHasASentence() async throws {
        try await AgentStage.withAgent { _, client in
            let text = String(decoding: try await AgentStage.ask(client, "/metrics").body, as: UTF8.self)
            let lines = text.split(separator: "\n")
            let types = lines.indices.filter { lines[$0].hasPrefix("# TYPE ") }
            #expect(!types.isEmpty)
            for index in types {
                let name = lines[index].split(separator: " ")[2]
                #expect(index > 0 && lines[index - 1].hasPrefix("# HELP \(name) "), "\(name)")
            }
        }
    }
}
