import Foundation
import Reports
import Testing

@testable import Agent
@testable import Commands

/// The operations on the history, where an agent runs.
@Suite(.timeLimit(.minutes(1))) struct HistoryByAgentTests {
    /// One rule for all of them, whether they read or change: an agent that has not opened the history is none to them.
    @Test func whereTheAgentHasNoHistoryThisProcessHasIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-history-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try NoticeStore(folder: folder.path)
        let until = Timestamp.now.advanced(by: .seconds(3_600))
        try store.mute("aaaa1", until: until)
        try await RadarStage.with { stage in
            let agent = AgentRadar(stage.client)
            let told = try await NoticeStoreAccess.ask(store, by: agent) { radar throws(RadarError) in
                try await radar.mutes()
            }
            #expect(told.mutes == ["aaaa1": until])
            let unmuted = try await NoticeStoreAccess.ask(store, by: agent) { radar throws(RadarError) in
                try await radar.mute("aaaa1", for: nil)
            }
            #expect(unmuted.mutes.isEmpty)
            #expect(try store.mutes(at: .now).isEmpty)
            // What the operation itself refuses is refused once.
            await #expect(throws: RadarError(.notFound, "the agent watches no such gateway")) {
                try await NoticeStoreAccess.ask(store, by: agent) { radar throws(RadarError) in
                    try await radar.mute("bbbb2", for: 1_000)
                }
            }
        }
    }
}
