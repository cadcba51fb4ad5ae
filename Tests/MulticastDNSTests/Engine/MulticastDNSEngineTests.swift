import CoreMetrics
import DNSSD
import HostSystem
import MetricsTestKit
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The engine on links that come and go, with a clock that the test advances. No packet is sent: no interface has the
/// index of these links, so the system refuses sockets on them.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSEngineTests {
    /// The links that the engine finds, and the number of times that it has looked for them.
    private final class Links: Sendable {
        private let state: Mutex<(present: [Link], looks: Int)>

        init(_ present: [Link]) {
            state = Mutex((present, 0))
        }

        var looks: Int { state.withLock { $0.looks } }

        func become(_ present: [Link]) { state.withLock { $0.present = present } }

        func look() -> [Link] {
            state.withLock { state in
                state.looks += 1
                return state.present
            }
        }
    }

    /// The statuses that one browse received.
    private final class StatusLog: Sendable {
        private let list = Mutex<[BackendStatus]>([])

        var statuses: [BackendStatus] { list.withLock { $0 } }

        func append(_ status: BackendStatus) { list.withLock { $0.append(status) } }
    }

    private let clock = TurnedClock()
    private let links: Links
    private let engine: MulticastDNSEngine
    private let statuses = AsyncStream.makeStream(of: BackendStatus.self)
    private let request = BrowseRequest(types: [ServiceType(checkedName: "openclaw", transport: .tcp)])

    init() throws {
        let address = try #require(IPAddress("192.0.2.1"))
        let nowhere = NetworkInterface(index: 2_000_000_000, name: "nowhere0")
        let links = Links([Link(interface: nowhere, prefixes: [Link.Prefix(address: address, length: 24)])])
        self.links = links
        engine = MulticastDNSEngine(
            configuration: MulticastDNSConfiguration(),
            loop: try SocketLoop(name: "test", clock: clock),
            clock: clock,
            presentLinks: { links.look() }
        )
    }

    private func browse() async throws -> BrowseID {
        try await browse { [statuses] in statuses.continuation.yield($0) }
    }

    private func browse(_ tell: @escaping @Sendable (BackendStatus) -> Void) async throws -> BrowseID {
        try await engine.begin(request) { events in
            for case .status(let status) in events { tell(status) }
        }
    }

    private func nextStatus() async -> BackendStatus? {
        for await status in statuses.stream { return status }
        return nil
    }

    /// Advances the clock, and returns when the engine has done everything that is due.
    private func turn(by time: Duration) async {
        clock.turn(by: time)
        // The loop checks its deadlines before it runs the second of these calls, at the latest.
        for _ in 0..<2 { _ = await engine.isIdle }
    }

    /// A socket that cannot be opened is reported as a status with a reason, and tried again every two seconds until it
    /// is no longer needed or succeeds.
    @Test func aPortThatCannotBeHadIsTriedAgain() async throws {
        _ = try await browse()
        #expect(links.looks == 1)
        guard case .unavailable(let reason) = await nextStatus() else {
            Issue.record("the failure of the socket was not reported")
            return
        }
        #expect(reason.code == .refused && reason.message.contains("nowhere0"))
        for look in 2...4 {
            await turn(by: .milliseconds(1_999))
            #expect(links.looks == look - 1)
            await turn(by: .milliseconds(1))
            #expect(links.looks == look)
        }
        links.become([])
        await turn(by: .seconds(2))
        #expect(await nextStatus() == .running)
        await turn(by: .seconds(3_600))
        #expect(links.looks == 5, "once nothing is wrong, the links are no longer polled")
    }

    /// Many changes of the links in quick succession cause a single look at the links.
    @Test func changesOfTheLinksAreTakenTogether() async throws {
        links.become([])
        _ = try await browse()
        await turn(by: .seconds(10))
        for _ in 0..<50 { await engine.linksChanged() }
        #expect(links.looks == 1)
        await turn(by: .milliseconds(20))
        #expect(links.looks == 2)
        // Further changes soon after these wait for longer.
        for _ in 0..<50 { await engine.linksChanged() }
        await turn(by: .milliseconds(20))
        #expect(links.looks == 2)
        await turn(by: .milliseconds(20))
        #expect(links.looks == 3)
    }

    /// No timer remains after the last browse has ended, and a browse that has ended receives no status.
    @Test func nothingIsDueAfterTheLastBrowse() async throws {
        let logs = (first: StatusLog(), second: StatusLog())
        let first = try await browse { logs.first.append($0) }
        let second = try await browse { logs.second.append($0) }
        await engine.end(first)
        await turn(by: .seconds(2))
        #expect(links.looks == 2, "the other browse still needs its sockets")
        #expect(await engine.deadline == clock.now + .seconds(2), "the sockets will be tried again")
        // The failure ends, and the remaining browse is informed.
        links.become([])
        await turn(by: .seconds(2))
        #expect(logs.second.statuses.count == 2 && logs.second.statuses.last == .running)
        #expect(logs.first.statuses.count == 1 && !logs.first.statuses.contains(.running))
        await engine.linksChanged()
        #expect(await engine.deadline != nil)
        await engine.end(second)
        #expect(await engine.deadline == nil)
        await turn(by: .seconds(3_600))
        #expect(links.looks == 3)
        #expect(await engine.isIdle)
    }

    /// A publication whose sockets cannot be opened reports the reason for waiting, and leaves no timer when it is
    /// withdrawn.
    @Test func aPublicationWaitsForItsPorts() async throws {
        let states = AsyncStream.makeStream(of: PublicationState.self)
        let advertisement = Advertisement(name: "Home", types: request.types, port: 3_000)
        let id = try await engine.publish(advertisement) { states.continuation.yield($0) }
        await turn(by: .seconds(2))
        #expect(links.looks == 2)
        await engine.withdraw(id)
        await turn(by: .seconds(3_600))
        #expect(links.looks == 2)
        states.continuation.finish()
        var reported: [PublicationState] = []
        for await state in states.stream { reported.append(state) }
        let reasons = reported.compactMap {
            if case .publishing(waitingFor: let reason?) = $0 { reason.code } else { nil }
        }
        #expect(reasons == [.refused])
        #expect(reported.last == .withdrawn)
        #expect(!reported.contains(.published(name: "Home")))
    }

    /// Each lost packet is counted under the reason for its loss.
    @Test func lostPacketsAreCounted() async throws {
        let metrics = TestMetrics()
        let loop = try SocketLoop(name: "test", clock: clock)
        let engine = withMetricsFactory(metrics) {
            MulticastDNSEngine(configuration: MulticastDNSConfiguration(), loop: loop, clock: clock) { [] }
        }
        let path = ServicePath(interface: NetworkInterface(index: 2_000_000_000, name: "nowhere0"), family: .ipv4)
        #expect(await engine.note(3, on: path))
        #expect(await engine.note(2, on: path))
        let label = "clawradar_mdns_packets_dropped_total"
        #expect(try metrics.expectCounter(label, [("reason", "lost")]).totalValue == 5)
        #expect(try metrics.expectCounter(label, [("reason", "off_link")]).totalValue == 0)
    }
}
