import DNSSD
import Discovery
import GatewayProtocol
import Logging
import ReferenceGateway
import TestSupport
import Testing

@testable import Advertising

/// The advertiser with running gateways over loopback, where 127.0.0.2 stands for an address on the network.
@Suite(.timeLimit(.minutes(1))) struct GatewayAdvertiserTests {
    private static let everywhere = IPAddress.v4(IPv4Address(bits: 0))
    private static let network = Samples.address("eth0", 1, 0x7F00_0002)

    private let backend = RecordingBackend()

    /// Runs a gateway while a closure runs.
    private static func serve(
        _ dialect: GatewayDialect = .optaplus,
        at address: IPAddress = everywhere,
        port: UInt16 = 0,
        bots: Int = 1,
        misbehaviour: Misbehaviour? = nil,
        log: any LogHandler = SwiftLogNoOpLogHandler(),
        _ body: @escaping @Sendable (GatewayServer) async throws -> Void
    ) async throws {
        let fingerprint = try #require(GatewayFingerprint("abc123"))
        let state = GatewayState(fingerprint: fingerprint, name: "Home", bots: try Self.bots(bots))
        let logger = Logger(label: "test") { _ in log }
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: port),
            dialect: dialect,
            misbehaviour: misbehaviour
        )
        try await GatewayServer.withServer(state, configuration, logger: logger, body)
    }

    private static func bots(_ count: Int) throws -> [BotDescription] {
        try (0..<count).map { BotDescription(id: try #require(BotID("bot-\($0)")), name: "Bot") }
    }

    /// Runs an advertiser of the gateway at this port while a closure runs.
    private func advertising(
        port: UInt16,
        isForced: Bool = false,
        clock: any MonotonicClock = ContinuousClock(),
        _ body: @Sendable (GatewayAdvertiser) async throws -> Void
    ) async throws {
        let configuration = GatewayAdvertiserConfiguration(
            endpoints: [Endpoint(address: Samples.loopback, port: port)],
            defaultName: "studio",
            isForced: isForced,
            interval: .milliseconds(30)
        )
        let advertiser = try GatewayAdvertiser(configuration, backend: backend, logger: nil, clock: clock) {
            let loopback = NetworkInterface(index: 9, name: "lo")
            return [
                LocalAddress(interface: loopback, address: Samples.loopback, isOnNetwork: false), Self.network,
            ]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await advertiser.run() }
            defer { group.cancelAll() }
            try await body(advertiser)
        }
        await #expect(throws: AlreadyRunError(type: "GatewayAdvertiser")) { try await advertiser.run() }
        #expect(!backend.isVisible, "the end of the advertiser must withdraw the publication")
        #expect(advertiser.currentState == .ended)
    }

    /// Waits until the gateway is not advertised, and returns the reason.
    private static func withheld(_ advertiser: GatewayAdvertiser) async -> WithholdingReason? {
        for await state in advertiser.details {
            if case .withheld(let reason) = state { return reason }
        }
        return nil
    }

    @Test func theRecordFollowsTheGateway() async throws {
        try await Self.serve { server in
            try await advertising(port: server.endpoint.port) { _ in
                guard case .published(let first)? = await backend.next() else {
                    Issue.record("the gateway must be published")
                    return
                }
                #expect(first.name == "Home")
                #expect(first.types == [.openClaw])
                #expect(first.port == server.endpoint.port)
                #expect(first.txt.string(forKey: "fp") == "abc123")
                #expect(first.txt.string(forKey: "bots") == "1")

                let more = try Self.bots(3)
                await server.change { $0.bots = more }
                guard case .updated(let txt)? = await backend.next() else {
                    Issue.record("a new number of bots must update the TXT record")
                    return
                }
                #expect(txt.string(forKey: "bots") == "3")

                await server.change { $0.name = "Office" }
                #expect(await backend.next() == .withdrawn, "the old name must be withdrawn before the new one appears")
                guard case .published(let second)? = await backend.next() else {
                    Issue.record("the new name must be published")
                    return
                }
                #expect(second.name == "Office" && second.txt.string(forKey: "name") == "Office")
            }
        }
    }

    /// Each check begins one interval after the one before, and checks that were missed while this host slept are not
    /// made up for.
    @Test func theChecksKeepTheirPace() async throws {
        let clock = TurnedClock()
        let interval = Duration.milliseconds(30)
        try await Self.serve { server in
            try await advertising(port: server.endpoint.port, clock: clock) { _ in
                // The first check is due at once.
                await clock.nextSleep()
                await clock.nextSleep()
                #expect(clock.waits == [interval])
                guard case .published? = await backend.next() else {
                    Issue.record("the gateway must be published")
                    return
                }

                let more = try Self.bots(3)
                await server.change { $0.bots = more }
                clock.turn(by: .seconds(60))
                guard case .updated? = await backend.next() else {
                    Issue.record("a new number of bots must update the TXT record")
                    return
                }
                // One check is late, the next one follows at once, and the others are in step again.
                await clock.nextSleep()
                await clock.nextSleep()
                #expect(clock.waits == [interval])
            }
        }
    }

    @Test func itIsWithdrawnWhileTheGatewayIsAway() async throws {
        let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
        try await Self.serve { found.yield($0.endpoint.port) }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        try await advertising(port: port) { advertiser in
            #expect(await Self.withheld(advertiser) == .noAnswer(.refused))
            try await Self.serve(port: port) { _ in
                guard case .published? = await backend.next() else {
                    Issue.record("the gateway must be published")
                    return
                }
            }
            #expect(await backend.next() == .withdrawn)
            try await Self.serve(port: port, bots: 2) { _ in
                guard case .published(let again)? = await backend.next() else {
                    Issue.record("a gateway that is back must be published again")
                    return
                }
                #expect(again.txt.string(forKey: "bots") == "2")
            }
        }
    }

    /// A gateway of another dialect at the same port is published with its own service type.
    @Test func anotherDialectIsAdvertisedAsItself() async throws {
        let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
        try await Self.serve { found.yield($0.endpoint.port) }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        try await advertising(port: port) { _ in
            for dialect in [GatewayDialect.optaplus, .openClaw, .bridge] {
                let type = try #require(dialect.serviceType)
                try await Self.serve(dialect, port: port) { _ in
                    while let event = await backend.next() {
                        guard case .published(let advertisement) = event else { continue }
                        #expect(advertisement.types == [type])
                        break
                    }
                }
            }
        }
    }

    @Test func anOpenClawGatewayHasItsOwnTypeAndKeys() async throws {
        try await Self.serve(.openClaw) { server in
            try await advertising(port: server.endpoint.port) { _ in
                guard case .published(let advertisement)? = await backend.next() else {
                    Issue.record("the gateway must be published")
                    return
                }
                #expect(advertisement.name == "studio (OpenClaw)")
                #expect(advertisement.types.map(\.description) == ["_openclaw-gw._tcp"])
                #expect(advertisement.txt.string(forKey: "displayName") == "studio")
                #expect(advertisement.txt.string(forKey: "gatewayPort") == "\(server.endpoint.port)")
                #expect(advertisement.txt.string(forKey: "gatewayDirectReachable") == "1")
            }
        }
    }

    /// A published OpenClaw gateway is only asked over HTTP, because it logs every WebSocket that is closed before
    /// `connect`. An old one has no page for its health, and its answer that there is none counts as a sign of life.
    @Test(arguments: [nil, Misbehaviour.noHealth])
    func anOpenClawGatewayIsAskedInHTTPAlone(misbehaviour: Misbehaviour?) async throws {
        let log = LogLines()
        try await Self.serve(.openClaw, misbehaviour: misbehaviour, log: log) { server in
            try await advertising(port: server.endpoint.port) { advertiser in
                guard case .published? = await backend.next() else {
                    Issue.record("the gateway must be published")
                    return
                }
                // During the first checks the gateway may still be asked at its other address by WebSocket, so that
                // upgrades count only later.
                var (pages, upgrades) = (0, 0)
                for await line in log.lines {
                    if line.hasSuffix("asks for /healthz") { pages += 1 }
                    if pages > 5, line.hasSuffix("speaks WebSocket") { upgrades += 1 }
                    if pages == 25 { break }
                }
                #expect(upgrades == 0)
                guard case .advertising = advertiser.currentState else {
                    Issue.record("\(advertiser.currentState)")
                    return
                }
            }
        }
    }

    @Test func whatListensOnLoopbackIsNotAdvertised() async throws {
        try await Self.serve(at: Samples.loopback) { server in
            try await advertising(port: server.endpoint.port) { advertiser in
                let reason = await Self.withheld(advertiser)
                #expect(reason == .notReachable(addresses: [Self.network.address]))
                #expect(!backend.isVisible)
            }
            try await advertising(port: server.endpoint.port, isForced: true) { _ in
                guard case .published? = await backend.next() else {
                    Issue.record("a gateway must be published if that is forced")
                    return
                }
            }
        }
    }

    /// An endpoint that is not an address of this host is never asked, whoever would answer there.
    @Test func anotherHostIsNeverAsked() async throws {
        let foreign = try #require(IPAddress("192.0.2.1"))
        let configuration = GatewayAdvertiserConfiguration(endpoints: [Endpoint(address: foreign, port: 3_000)])
        let advertiser = try GatewayAdvertiser(configuration, backend: backend, logger: nil) { [Self.network] }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await advertiser.run() }
            #expect(await Self.withheld(advertiser) == .otherHost(foreign))
            group.cancelAll()
        }
    }

    @Test func withoutAnAddressThereIsNothingToAsk() {
        let error = #expect(throws: BackendError.self) {
            try GatewayAdvertiser(GatewayAdvertiserConfiguration(endpoints: []), backend: backend)
        }
        #expect(error?.code == .invalid)
    }
}
