import DNSSD
import HostSystem
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// No daemon notices that this host has no link, and none waits for an interface that has yet to come.
@Suite(.timeLimit(.minutes(1))) struct NetworkAwareBackendTests {
    /// A host whose interfaces the test chooses.
    private final class Host: Sendable {
        private let interfaces: Mutex<MulticastInterfaces>
        private let readers = Mutex<[AsyncStream<Void>.Continuation]>([])

        init(_ connected: [String: UInt32]) { interfaces = Mutex(MulticastInterfaces(connected: connected)) }

        func change(_ connected: [String: UInt32]) {
            interfaces.withLock { $0 = MulticastInterfaces(connected: connected) }
            for reader in readers.withLock(\.self) { reader.yield() }
        }

        func aware(_ backend: any ServiceBackend) -> NetworkAwareBackend {
            NetworkAwareBackend(
                backend,
                isBoundToIndices: true,
                interfaces: { self.interfaces.withLock(\.self) },
                changes: {
                    let (stream, reader) = AsyncStream.makeStream(of: Void.self)
                    self.readers.withLock { $0.append(reader) }
                    return stream
                }
            )
        }
    }

    private static let noNetwork = MulticastInterfaces(connected: [:])

    private let backend = FakeBackend()

    /// Runs a browser on a host, and returns its statuses until one is expected that is `running`.
    private func statuses(
        _ host: Host,
        _ interfaces: Set<String>,
        then connected: [String: UInt32]
    ) async throws
        -> [BackendStatus]
    {
        let browser = Browser(
            BrowserConfiguration(types: [Samples.type], interfaces: interfaces),
            backend: host.aware(backend)
        )
        let run = Task { try await browser.run() }
        await backend.started()
        backend.send(.status(.running))
        var statuses: [BackendStatus] = []
        for await condition in browser.conditions {
            statuses.append(condition.status)
            if condition.status == .running { break }
            host.change(connected)
        }
        run.cancel()
        try await run.value
        return statuses
    }

    /// A backend that runs on a host without a link finds nothing, which is no sign that nothing is there.
    @Test func withoutANetworkTheBrowserIsUnavailable() async throws {
        let lack = try #require(Self.noNetwork.lack(of: []))
        #expect(try await statuses(Host([:]), [], then: ["eth0": 2]) == [.unavailable(lack), .running])
    }

    /// The interface that is missing is named, and browsing goes on when it comes.
    @Test func anInterfaceThatIsMissingIsNamedAndWaitedFor() async throws {
        let host = Host(["eth0": 2])
        let statuses = try await statuses(host, ["eth7"], then: ["eth0": 2, "eth7": 9])
        guard case .unavailable(let error) = statuses.first else {
            Issue.record("\(statuses)")
            return
        }
        #expect(error.code == .noInterface && error.message.hasPrefix("eth7 is not up"))
        #expect(statuses.last == .running)
    }

    /// A publication on an interface that comes, goes and comes back is made for each index that it has, with the latest TXT
    /// record.
    @Test func aPublicationFollowsItsInterface() async throws {
        let host = Host(["eth0": 2])
        var advertisement = Advertisement(name: "Home", types: [Samples.type], port: 3_000, txt: Samples.txt("1"))
        advertisement.interfaces = ["eth7"]
        let advertiser = try Advertiser(advertisement, backend: host.aware(backend))
        var states = advertiser.states.makeAsyncIterator()
        let run = Task { try await advertiser.run() }
        #expect(await states.next(isolation: nil) == .publishing(waitingFor: nil))
        guard case .publishing(waitingFor: let lack?) = await states.next(isolation: nil) else {
            Issue.record("it does not wait")
            return
        }
        #expect(lack.code == .noInterface && lack.message.hasPrefix("eth7 is not up"))
        #expect(backend.advertisements.isEmpty)
        host.change(["eth0": 2, "eth7": 9])
        await backend.started()
        backend.send(.published(name: "Home"))
        while await states.next(isolation: nil) != .published(name: "Home") {}
        try advertiser.update(txt: Samples.txt("2"))
        #expect(await backend.nextUpdate() == Samples.txt("2"))
        host.change(["eth0": 2, "eth7": 11])
        await backend.started()
        #expect(backend.advertisements.count == 2)
        #expect(backend.advertisements.last?.txt == Samples.txt("2"))
        #expect(!run.isCancelled && advertiser.currentState != .withdrawn)
        run.cancel()
        try await run.value
        #expect(advertiser.currentState == .withdrawn)
    }

    /// A daemon that is missing is told of once there is a network that it could be used on.
    @Test func theNetworkIsTheFirstReason() {
        let noDaemon = BackendStatus.unavailable(BackendError(.noDaemon, "no daemon"))
        var check = NetworkCheck()
        let lack = Self.noNetwork.lack(of: [])
        #expect(check.take([.status(noDaemon)]) == [.status(noDaemon)])
        #expect(check.take(lack).status == lack.map(BackendStatus.unavailable))
        #expect(check.take([.status(noDaemon), .activity(.busy)]).last == .activity(.busy))
        #expect(check.take(nil).status == noDaemon)
        #expect(check.take(nil).status == nil)
    }
}
