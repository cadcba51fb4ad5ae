import DNSSD
import Testing

@testable import HostSystem

/// A host that refuses is there.
@Suite struct KnockTests {
    @Test func whatRefusesAnswers() throws {
        let own = try #require(IPAddress("127.0.0.1"))
        #expect(Knock.answering([own], within: .seconds(10)) == [own])
        #expect(Knock.answering([], within: .seconds(10)).isEmpty)
    }

    /// The neighbours of an interface are a bounded number.
    @Test func neighboursAreBounded() throws {
        var table = NeighbourTable()
        let hardware = try #require(HardwareAddress([2, 0, 0, 0, 0, 1]))
        for last in 1...20 {
            table.insert(hardware, for: try #require(IPAddress("10.0.0.\(last)")), interface: last % 2 == 0 ? 1 : 2)
        }
        #expect(table.addresses(on: 1, most: 4).count == 4 && table.addresses(on: 2, most: 99).count == 10)
        #expect(table.addresses(on: 3, most: 4).isEmpty)
    }
}
