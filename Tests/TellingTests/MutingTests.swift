import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The operation that tells nothing of a gateway for a while.
@Suite struct MutingTests {
    private let folder = StoreFolder()

    /// Returns a carrier with the history of an agent that watches one gateway.
    private func radar() throws -> (InProcessRadar, NoticeStore) {
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: .now)
        let memory = try #require(GatewayMemory(.object(["told": "up", "hasAnswered": true])))
        try store.take([.remember(Notice.Subject(key: "g", name: "Home"), memory)], for: [], at: .now)
        return (InProcessRadar(store, version: "1"), store)
    }

    /// A watched gateway is muted until a time, which the answer tells, is listed, and is told of again.
    @Test func aGatewayIsMutedForAWhile() async throws {
        let (radar, store) = try radar()
        let muted = try await radar.mute("g", for: 3_600_000)
        #expect(try muted.mutes == store.mutes(at: .now) && muted.mutes.keys.elementsEqual(["g"]))
        #expect(try await radar.mutes() == muted)
        let read = try MutesReport(JSONValue(parsing: Array(muted.line.utf8)))
        #expect(read == muted)
        #expect(try await radar.mute("g", for: nil).mutes.isEmpty)
        #expect(try store.mutes(at: .now).isEmpty)
    }

    /// What nobody watches is not muted, but one that is not watched any more is told of again.
    @Test func onlyWhatIsWatchedIsMuted() async throws {
        let (radar, store) = try radar()
        for time in [60_000, nil] {
            await #expect(throws: RadarError(.notFound, "the agent watches no such gateway")) {
                try await radar.mute("other", for: time)
            }
        }
        try store.mute("other", until: Timestamp.now.advanced(by: .seconds(60)))
        #expect(try await radar.mute("other", for: nil).mutes.isEmpty)
        #expect(try store.mutes(at: .now).isEmpty)
    }

    /// Nothing is muted for longer than the history is kept, whoever asks for that.
    @Test(arguments: [0, -1, NoticeStore.retention + 1, .max]) func aMuteHasALongestTime(milliseconds: Int) async throws
    {
        let (radar, store) = try radar()
        let error = try await #require(throws: RadarError.self) { try await radar.mute("g", for: milliseconds) }
        #expect(error.code == .invalid)
        #expect(try store.mutes(at: .now).isEmpty)
    }

    /// The history of one gateway has nothing of others, and the names of the history where no pairing is known.
    @Test func theHistoryOfOneGatewayIsItsOwn() async throws {
        let (radar, _) = try radar()
        let start = Timestamp.now.advanced(by: .seconds(-60))
        #expect(try await radar.history(since: start).history.gateways.map(\.name) == ["Home"])
        #expect(try await radar.history(since: start, of: "g").history.gateways.map(\.key) == ["g"])
        #expect(try await radar.history(since: start, of: "other").history.gateways.isEmpty)
    }
}
