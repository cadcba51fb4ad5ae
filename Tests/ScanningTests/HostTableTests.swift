import DNSSD
import Testing

@testable import Scanning

/// Whose turn it is among the hosts that are asked themselves, with a clock that is turned.
@Suite struct HostTableTests {
    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func address(_ number: Int) -> IPAddress { Samples.address(UInt32(number)) }

    /// Returns a table in which an endpoint of each of so many hosts waits.
    private func table(hosts count: Int) -> HostTable {
        var table = HostTable()
        for number in 1...count { _ = table.add(Endpoint(address: address(number), port: 1), now: start) }
        return table
    }

    /// Looks at a host, and returns how many endpoints it is asked for; `nil` when it is not its turn.
    private func turn(_ table: inout HostTable, _ number: Int, at milliseconds: Int) -> Int? {
        table.takeTurn(of: address(number), now: time(milliseconds), isWaiting: { _ in true })?.waiting?.count
    }

    @Test func aHostIsAskedOnceForAllThatWait() {
        var table = table(hosts: 1)
        #expect(table.add(Endpoint(address: address(1), port: 2), now: start) == false, "it is known")
        #expect(turn(&table, 1, at: 0) == 2)
        #expect(table.isAskingAnew)
        #expect(turn(&table, 2, at: 0) == nil, "it is not there")
    }

    /// Whoever looks too early takes nothing away: the host is asked when its time comes.
    @Test func aTurnThatHasNotComeIsKept() {
        var table = table(hosts: 1)
        #expect(turn(&table, 1, at: 0) == 1)
        table.ended(address(1))
        #expect(!table.isAskingAnew)
        #expect(turn(&table, 1, at: 1_999) == nil, "it is left alone for 2 s")
        #expect(table.count == 1)
        #expect(turn(&table, 1, at: 2_000) == 1)
        #expect(!table.isAskingAnew, "for the second time")
    }

    /// A host that does not answer is not asked again meanwhile, and one that was asked stands back for one that was not.
    @Test func theFirstTimeGoesBeforeTheSecond() {
        var table = table(hosts: 2)
        #expect(turn(&table, 1, at: 0) == 1)
        #expect(turn(&table, 1, at: 2_000) == nil, "its question is open")
        table.ended(address(1))
        let look = table.takeTurn(of: address(1), now: time(2_250), isWaiting: { _ in true })
        #expect(look?.waiting == nil, "the other was never asked")
        #expect(look?.next == time(2_500))
        #expect(turn(&table, 2, at: 2_250) == 1)
        #expect(turn(&table, 1, at: 2_500) == 1)
    }

    @Test func noMoreAreAskedAtOnceThanMayBe() {
        var table = table(hosts: HostTable.atOnce + 1)
        for number in 1...HostTable.atOnce { #expect(turn(&table, number, at: 0) == 1) }
        #expect(turn(&table, HostTable.atOnce + 1, at: 0) == nil)
        table.ended(address(1))
        table.ended(address(1))
        #expect(turn(&table, HostTable.atOnce + 1, at: 250) == 1)
        table.ended(address(2))
        _ = turn(&table, 1, at: 2_000)
        table.ended(address(3))
        #expect(table.isAskingAnew, "others are asked for the first time")
    }

    /// A table that a forger fills takes no more, and gives back the place of a host at which nothing waits.
    @Test func aHostWhereNothingWaitsIsForgotten() {
        var table = table(hosts: HostTable.mostHosts)
        let more = Endpoint(address: address(HostTable.mostHosts + 1), port: 1)
        #expect(table.add(more, now: start) == false)
        #expect(table.takeTurn(of: address(1), now: start, isWaiting: { _ in false }) == nil)
        #expect(table.count == HostTable.mostHosts - 1)
        #expect(table.add(more, now: start) == true)
    }
}

/// The order of what is due.
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

    /// The time first; then what is urgent; then who has waited longest, so that nobody waits for ever.
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
