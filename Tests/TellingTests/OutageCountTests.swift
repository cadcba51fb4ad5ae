import GatewayProtocol
import Notices
import Reports
import Testing

@testable import Telling

/// The sums of the history, as they are scraped.
@Suite struct OutageCountTests {
    private static let start = Timestamp("2026-11-26T12:00:00.000Z")!

    private static func at(_ seconds: Int) -> Timestamp { start.advanced(by: .seconds(seconds)) }

    /// Each gateway has its own outages, fewer when the history forgets some.
    @Test func outagesAreCountedForEachGateway() throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        _ = try store.begin(at: Self.start)
        #expect(try store.outages().isEmpty)
        let (steady, away) = (Notice.Subject(key: "g", name: "Home"), Notice.Subject(key: "h", name: "Away"))
        for time in [0, 100] {
            try store.take(
                [.outageBegan(steady, at: Self.at(time), reason: nil), .outageEnded(key: "g", at: Self.at(time + 10))],
                for: [],
                at: Self.at(time + 10)
            )
        }
        try store.take([.outageBegan(away, at: Self.at(50), reason: nil)], for: [], at: Self.at(60))
        #expect(
            try store.outages() == [
                "g": OutageCount(number: 2, since: nil), "h": OutageCount(number: 1, since: Self.at(50)),
            ]
        )
        try store.noteAlive(at: Self.at(91 * 86_400))
        #expect(try store.outages()["g"] == nil)
    }
}
