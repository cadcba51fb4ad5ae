import Scanning
import Testing

@testable import Commands

@Suite struct ShownRowsTests {
    @Test func theyAreThoseOfTheMap() throws {
        let rows = ShownRows()
        var map = BotMap()
        for (revision, event) in try Rows.mixed().enumerated() {
            let changes = map.apply(event).map(ConstellationChange.gateway)
            rows.take(.changes(changes, revision: UInt64(revision)))
            #expect(rows.all == map.gateways)
        }
        #expect(rows.all.count > 2)
        let first = try #require(map.gateways.first)
        rows.take(.changes([.gateway(.lost(first))], revision: 100))
        #expect(rows.all == Array(map.gateways.dropFirst()))
        rows.take(
            .snapshot(
                ConstellationSnapshot(
                    revision: 101,
                    gateways: [first],
                    services: [],
                    backends: [],
                    sessions: [],
                    missedProblems: []
                )
            )
        )
        #expect(rows.all == [first])
    }
}
