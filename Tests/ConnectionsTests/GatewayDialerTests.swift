import DNSSD
import Foundation
import GatewayProtocol
import Logging
import ReferenceGateway
import Scanning
import Synchronization
import Testing

@testable import Pairing

/// The dialer, with a real gateway on this host.
@Suite(.timeLimit(.minutes(1))) struct GatewayDialerTests {
    /// The places at which an attempt has got, in this order.
    private enum Step: Hashable {
        case opened, opensSecret, decides
    }

    /// Makes one attempt at a session with a gateway that tells the fingerprint `abc`.
    private func dial(expecting fingerprint: GatewayFingerprint?) async throws -> (SessionFailure, [Step]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-dialer-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = try PairingStore(StoreLocation(folder: folder.path, keyFile: folder.path + "-key/key")).device
        let state = GatewayState(fingerprint: try #require(GatewayFingerprint("abc")), name: "Home", bots: [])
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            dialect: .optaplus,
            certificate: nil
        )
        let result = Mutex<(SessionFailure, [Step])?>(nil)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let steps = Mutex<[Step]>([])
            let call = SessionCall(
                path: Self.path(to: server.endpoint),
                dialect: .optaplus,
                scopes: [],
                fingerprint: fingerprint,
                device: { device },
                secret: {
                    steps.withLock { $0.append(.opensSecret) }
                    return Secret("t0ken")
                },
                decide: { _, _ in
                    steps.withLock { $0.append(.decides) }
                    return .allowed
                },
                opened: { _, _ in
                    steps.withLock { $0.append(.opened) }
                    return true
                },
                granted: { _ in },
                signOfLife: { _ in },
                received: { _ in },
                commands: AsyncStream { _ in }
            )
            let failure = await GatewayDialer(clientVersion: "1", wallTime: { 0 }).dial(call)
            result.withLock { $0 = (failure, steps.withLock { $0 }) }
        }
        try? FileManager.default.removeItem(atPath: folder.path + "-key")
        return try #require(result.withLock { $0 })
    }

    private static func path(to endpoint: Endpoint) -> SessionPath {
        let home = HomeNetwork(prefix: endpoint.address, prefixLength: 8, router: [], gateway: nil)
        return SessionPath(place: .endpoint(endpoint), reach: .local, policy: .sameAddress(home))
    }

    /// Where another gateway than the paired one says that it is there, the connection is given up before the token is
    /// even read from the store.
    @Test func aTokenIsNotSentToAnotherGatewayAtTheSamePlace() async throws {
        let (failure, steps) = try await dial(expecting: GatewayFingerprint("the paired one"))
        #expect(failure == .blocked(.moved(.gateway)))
        #expect(steps.isEmpty)
    }

    /// The paired gateway gets the token, which this one does not know; and so does one whose pairing has no
    /// fingerprint.
    @Test(arguments: ["abc", nil]) func aTokenIsSentToTheGatewayOfThePairing(text: String?) async throws {
        let (failure, steps) = try await dial(expecting: text.flatMap { GatewayFingerprint($0) })
        guard case .refused(let refusal) = failure else {
            Issue.record("expected a refusal, found \(failure)")
            return
        }
        #expect(refusal.endsCredential)
        #expect(steps == [.opened, .opensSecret, .decides])
    }

    /// A command of a bridge is answered: this device carries none out. Otherwise whoever has asked the bridge would wait.
    @Test func aCommandOfABridgeIsAnswered() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-dialer-\(UUID())")
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: folder.path + "-key")
        }
        let device = try PairingStore(StoreLocation(folder: folder.path, keyFile: folder.path + "-key/key")).device
        let paired = GatewayPairing(deviceID: device.id, deviceName: "Pad", botID: nil, token: "t0ken")
        let fingerprint = try #require(GatewayFingerprint("abc"))
        var state = GatewayState(fingerprint: fingerprint, name: "Bridge", bots: [], pairings: [paired])
        state.bridge.invokesAtHello = true
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            dialect: .bridge,
            certificate: nil
        )
        let (commands, orders) = AsyncStream.makeStream(of: SessionCall.Command.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let call = SessionCall(
                path: Self.path(to: server.endpoint),
                dialect: .bridge,
                scopes: [],
                fingerprint: nil,
                device: { device },
                secret: { Secret("t0ken") },
                decide: { _, _ in .allowed },
                opened: { _, _ in true },
                granted: { _ in },
                signOfLife: { _ in },
                received: { Issue.record("expected nothing for readers, found \($0.name)") },
                commands: commands
            )
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { _ = await GatewayDialer(clientVersion: "1", wallTime: { 0 }).dial(call) }
                while await server.state.bridge.answers.isEmpty, !Task.isCancelled { await Task.yield() }
                orders.yield(.close(1_000))
            }
            #expect(await server.state.bridge.answers == ["NODE_BACKGROUND_UNAVAILABLE"])
        }
    }

    /// A paired Clawline provider that was updated to another version of the protocol is sent nothing, and the token is not even
    /// read: an update is required.
    @Test func aProviderOfAnotherVersionIsSentNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-dialer-\(UUID())")
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: folder.path + "-key")
        }
        let device = try PairingStore(StoreLocation(folder: folder.path, keyFile: folder.path + "-key/key")).device
        let state = GatewayState(fingerprint: try #require(GatewayFingerprint("abc")), name: "Provider", bots: [])
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            dialect: .clawline,
            misbehaviour: .otherVersion
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let call = SessionCall(
                path: Self.path(to: server.endpoint),
                dialect: .clawline,
                scopes: [],
                fingerprint: nil,
                device: { device },
                secret: {
                    Issue.record("expected the token to stay in the store")
                    return Secret("t0ken")
                },
                decide: { _, _ in .allowed },
                opened: { _, _ in true },
                granted: { _ in Issue.record("expected no session") },
                signOfLife: { _ in },
                received: { _ in },
                commands: AsyncStream { _ in }
            )
            let failure = await GatewayDialer(clientVersion: "1", wallTime: { 0 }).dial(call)
            guard case .refused(let refusal) = failure else {
                Issue.record("expected a refusal, found \(failure)")
                return
            }
            #expect(refusal.reason == .protocolMismatch && refusal.expectedProtocol == 2)
            #expect(refusal.description.contains("Update required"))
        }
    }

    /// A gateway of OpenAgents may acknowledge the greeting before it has read the token. One that then hangs up has
    /// refused it, and no session was granted; one that stays has taken it.
    @Test(arguments: [true, false]) func anEarlyGreetingIsNoSession(hangsUp: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-dialer-\(UUID())")
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: folder.path + "-key")
        }
        let device = try PairingStore(StoreLocation(folder: folder.path, keyFile: folder.path + "-key/key")).device
        try await HastyServer.run(hangsUp: hangsUp) { server in
            let isGranted = Mutex(false)
            let (commands, orders) = AsyncStream.makeStream(of: SessionCall.Command.self)
            let call = SessionCall(
                path: Self.path(to: server.endpoint),
                dialect: .openAgents,
                scopes: [],
                fingerprint: nil,
                device: { device },
                secret: { Secret("t0ken") },
                decide: { _, _ in .allowed },
                opened: { _, _ in true },
                granted: { _ in
                    isGranted.withLock { $0 = true }
                    orders.yield(.close(1_000))
                },
                signOfLife: { _ in },
                received: { _ in },
                commands: commands
            )
            let failure = await GatewayDialer(clientVersion: "1", wallTime: { 0 }).dial(call)
            #expect(isGranted.withLock { $0 } == !hangsUp, "\(failure)")
            guard hangsUp else { return }
            guard case .refused(let refusal) = failure else {
                Issue.record("expected a refusal, found \(failure)")
                return
            }
            #expect(refusal.reason == .hungUp)
        }
    }
}
