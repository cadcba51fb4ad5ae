import CoreMetrics
import DNSSD
import EventLoops
import MetricsTestKit
import Synchronization
import TestSupport
import Testing

@testable import MulticastDNS

/// The engine at work on links that come and go, with a clock that the test turns. No packet is sent: no interface has the
/// number of these links, and the system gives no socket on them.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSEngineTests {
    /// The links that the engine finds, and the number of times that it has looked.
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

    /// The statuses that one browse was told.
    private final class Told: Sendable {
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

    /// Turns the clock, and returns when the engine has done what is due.
    private func turn(by time: Duration) async {
        clock.turn(by: time)
        // The loop looks at its deadlines before it runs the second of these at the latest.
        for _ in 0..<2 { _ = await engine.isIdle }
    }

    /// Rule: a port that cannot be had is told as a state with its reason, and tried again 2 s later, until it is there.
    @Test func aPortThatCannotBeHadIsTriedAgain() async throws {
        _ = try await browse()
        #expect(links.looks == 1)
        guard case .unavailable(let reason) = await nextStatus() else {
            Issue.record("no port, and no reason")
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
        #expect(links.looks == 5, "without trouble nothing is polled")
    }

    /// Rule: changes of the links that come one after the other are looked at once.
    @Test func changesOfTheLinksAreTakenTogether() async throws {
        links.become([])
        _ = try await browse()
        await turn(by: .seconds(10))
        for _ in 0..<50 { await engine.linksChanged() }
        #expect(links.looks == 1)
        await turn(by: .milliseconds(20))
        #expect(links.looks == 2)
        // The next ones come soon after these: they wait for longer.
        for _ in 0..<50 { await engine.linksChanged() }
        await turn(by: .milliseconds(20))
        #expect(links.looks == 2)
        await turn(by: .milliseconds(20))
        #expect(links.looks == 3)
    }

    /// Rule: after the last browse no timer is left behind, and a browse that has ended is told nothing.
    @Test func nothingIsDueAfterTheLastBrowse() async throws {
        let told = (first: Told(), second: Told())
        let first = try await browse { told.first.append($0) }
        let second = try await browse { told.second.append($0) }
        await engine.end(first)
        await turn(by: .seconds(2))
        #expect(links.looks == 2, "the other one still needs its ports")
        #expect(await engine.deadline == clock.now + .seconds(2), "they are tried again")
        // The trouble is over, and whoever still browses is told so.
        links.become([])
        await turn(by: .seconds(2))
        #expect(told.second.statuses.count == 2 && told.second.statuses.last == .running)
        #expect(told.first.statuses.count == 1 && !told.first.statuses.contains(.running))
        await engine.linksChanged()
        #expect(await engine.deadline != nil)
        await engine.end(second)
        #expect(await engine.deadline == nil)
        await turn(by: .seconds(3_600))
        #expect(links.looks == 3)
        #expect(await engine.isIdle)
    }

    /// Rule: a publication waits for its ports with their reason, and nothing of it is left when it is withdrawn.
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
        var told: [PublicationState] = []
        for await state in states.stream { told.append(state) }
        let reasons = told.compactMap { if case .publishing(waitingFor: let reason?) = $0 { reason.code } else { nil } }
        #expect(reasons == [.refused])
        #expect(told.last == .withdrawn)
        #expect(!told.contains(.published(name: "Home")))
    }

    /// Rule: each packet that is lost is counted, by its reason.
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
