import Synchronization
import TestSupport
import Testing

@testable import HostSystem

/// What counts as a change of this host's network.
@Suite struct NetworkChangesTests {
    /// Reports of the system within one pause count as one change of the network, since a link that comes up brings an
    /// address and a route a moment later; reports that leave the network as it was count as none.
    @Test(.timeLimit(.minutes(1))) func changesWithinAPauseAreReportedOnce() async throws {
        let clock = TurnedClock()
        let network = Mutex(NetworkChanges.Network())
        let count = Mutex(0)
        let read = { @Sendable in network.withLock { $0 } }
        let changes = try #require(NetworkChanges(clock: clock, read: read) { count.withLock { $0 += 1 } })

        network.withLock { $0.routes = [] }
        await changes.linksChanged()
        clock.turn(by: NetworkChanges.pause - .milliseconds(1))
        await changes.linksChanged()
        #expect(await changes.isPending)
        #expect(count.withLock { $0 } == 0)
        clock.turn(by: .milliseconds(1))
        // Each `isPending` wakes the loop, which then looks at its clock.
        while await changes.isPending { await Task.yield() }
        #expect(count.withLock { $0 } == 1)

        await changes.linksChanged()
        clock.turn(by: NetworkChanges.pause)
        while await changes.isPending { await Task.yield() }
        #expect(count.withLock { $0 } == 1)
    }
}
