import DNSSD
import Testing

@testable import Scanning

/// The turns of hosts that are queried directly for their services, with a simulated clock.
@Suite struct HostTableTests {
    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func address(_ number: Int) -> IPAddress { Samples.address(UInt32(number)) }

    /// Returns a table of that many hosts, at each of which one endpoint waits.
    private func table(hosts count: Int) -> HostTable {
        var table = HostTable()
        for number in 1...count { _ = table.add(Endpoint(address: address(number), port: 1), now: start) }
        return table
    }

    /// Takes the turn of a host, and returns the number of endpoints for which it is queried; `nil` if it is not its
    /// turn.
    private func turn(_ table: inout HostTable, _ number: Int, at milliseconds: Int) -> Int? {
        table.takeTurn(of: address(number), now: time(milliseconds), isWaiting: { _ in true })?.waiting?.count
    }

    /// A host is queried once for all endpoints that wait at its address.
    @Test func aHostIsAskedOnceForAllThatWait() {
        var table = table(hosts: 1)
        #expect(
            table.add(Endpoint(address: address(1), port: 2), now: start) == false,
            "the host is in the table already"
        )
        #expect(turn(&table, 1, at: 0) == 2)
        #expect(table.isAskingAnew)
        #expect(turn(&table, 2, at: 0) == nil, "the host is not in the table")
    }

    /// A host that is considered too early stays in the table, and is queried when its time comes.
    @Test func aTurnThatHasNotComeIsKept() {
        var table = table(hosts: 1)
        #expect(turn(&table, 1, at: 0) == 1)
        table.ended(address(1))
        #expect(!table.isAskingAnew)
        #expect(turn(&table, 1, at: 1_999) == nil, "a host is left alone for 2 s after a query")
        #expect(table.count == 1)
        #expect(turn(&table, 1, at: 2_000) == 1)
        #expect(!table.isAskingAnew, "the host is queried for the second time")
    }

    /// A host is not queried again while its query is open, and not before hosts that were never queried.
    @Test func theFirstTimeGoesBeforeTheSecond() {
        var table = table(hosts: 2)
        #expect(turn(&table, 1, at: 0) == 1)
        #expect(turn(&table, 1, at: 2_000) == nil, "its first query has not ended")
        table.ended(address(1))
        let look = table.takeTurn(of: address(1), now: time(2_250), isWaiting: { _ in true })
        #expect(look?.waiting == nil, "the other host was never queried")
        #expect(look?.next == time(2_500))
        #expect(turn(&table, 2, at: 2_250) == 1)
        #expect(turn(&table, 1, at: 2_500) == 1)
    }

    /// The number of hosts that are queried at once is limited.
    @Test func hostsQueriedAtOnceAreLimited() {
        var table = table(hosts: HostTable.atOnce + 1)
        for number in 1...HostTable.atOnce { #expect(turn(&table, number, at: 0) == 1) }
        #expect(turn(&table, HostTable.atOnce + 1, at: 0) == nil)
        table.ended(address(1))
        table.ended(address(1))
        #expect(turn(&table, HostTable.atOnce + 1, at: 250) == 1)
        table.ended(address(2))
        _ = turn(&table, 1, at: 2_000)
        table.ended(address(3))
        #expect(table.isAskingAnew, "other hosts are queried for the first time")
    }

    /// A full table takes in no more hosts, and forgets a host at which nothing waits any more, which makes room.
    @Test func aHostWhereNothingWaitsIsForgotten() {
        var table = table(hosts: HostTable.mostHosts)
        let more = Endpoint(address: address(HostTable.mostHosts + 1), port: 1)
        #expect(table.add(more, now: start) == false)
        #expect(table.takeTurn(of: address(1), now: start, isWaiting: { _ in false }) == nil)
        #expect(table.count == HostTable.mostHosts - 1)
        #expect(table.add(more, now: start) == true)
    }
}

/// The order of scheduled events.
@Suite struct ScheduledEventTests {
    private let start = ContinuousClock.now

    private func event(_ second: Int, isUrgent: Bool = false, waitsSince: Int? = nil) -> ScheduledEvent {
        ScheduledEvent(
            time: start + .seconds(second),
            isUrgent: isUrgent,
            waitsSince: waitsSince.map { start + .seconds($0) },
            purpose: .ask(Samples.endpoint(1), number: second)
        )
    }

    /// The time comes first, then urgency, then the longest wait, so that no endpoint waits for ever.
    @Test func whatIsDueFirstComesFirst() {
        let ordered = [
            event(1), event(2, isUrgent: true, waitsSince: 1), event(2, isUrgent: true), event(2, waitsSince: 0),
            event(2, waitsSince: 1), event(2), event(3, isUrgent: true, waitsSince: 0),
        ]
        #expect(ordered.reversed().sorted() == ordered)
        for (index, event) in ordered.enumerated() {
            for (otherIndex, other) in ordered.enumerated() {
                #expect((event < other) == (index < otherIndex))
                #expect((event == other) == (index == otherIndex))
            }
        }
    }
}
