import DNSSD
import GatewayProtocol
import Logging
import Synchronization
import Testing

@testable import ReferenceGateway

/// The state that a gateway reports is always the one in its file, even if the disk fails.
@Suite struct GatewayStateStoreTests {
    private static let pairing = GatewayFrame.request(
        GatewayRequest(
            id: "1",
            method: "device.pair",
            params: .object([
                "deviceId": "device-1", "deviceName": "Kitchen Pi", "platform": "linux", "requestedBots": "*",
            ])
        )
    ).encoded

    /// Returns the number of pairings after a device has tried to pair while saving fails with this code, and the
    /// actions for its connection.
    private func pairing(_ code: ReferenceGatewayError.Code) async throws -> (count: Int, actions: [GatewayAction]) {
        let example = try GatewayState.example
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 3_000)
        let store = GatewayStateStore(
            example,
            GatewayServerConfiguration(endpoint: endpoint),
            save: { (_) throws(ReferenceGatewayError) in throw ReferenceGatewayError(code, "expected a disk") },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let peer = GatewayPeer(connection: 1, address: "192.168.1.20:50000")
        var dialogue = Dialogue(dialect: .optaplus, peer: peer)
        let actions = await store.receive(Self.pairing, in: &dialogue, push: { _ in })
        return (await store.state.pairings.count - example.pairings.count, actions)
    }

    /// A pairing that could not be saved has not happened: it is undone, and the connection is closed.
    @Test func aPairingThatCannotBeSavedIsUndone() async throws {
        let (count, actions) = try await pairing(.unwritableState)
        #expect(count == 0)
        #expect(actions == [.close(1_011)])
    }

    /// A pairing that was saved, but may be lost in a power failure, is kept and answered: the device can use the token
    /// that is in the file.
    @Test func aPairingThatIsNotDurableIsKept() async throws {
        let (count, actions) = try await pairing(.notDurable)
        #expect(count > 0)
        #expect(!actions.contains(.close(1_011)))
    }

    /// A gateway starts if its state could be written, even if that may be lost in a power failure.
    @Test func aGatewayStartsWhereItsStateIsWritten() throws {
        func start(_ code: ReferenceGatewayError.Code) throws {
            try GatewayStateStore.save(
                try .example,
                { (_) throws(ReferenceGatewayError) in throw ReferenceGatewayError(code, "expected a disk") },
                Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
        try start(.notDurable)
        #expect(throws: ReferenceGatewayError.self) { try start(.unwritableState) }
    }

    // MARK: Sessions that end

    /// A connection, and a record of the messages that were pushed to it in addition to answers.
    private final class Connection: Sendable {
        private let dialogue: Mutex<Dialogue>
        private let pushed = Mutex<[SessionOutput]>([])

        init(_ dialect: GatewayDialect, _ number: Int) {
            let ip = IPAddress("192.168.1.\(number)")
            let peer = GatewayPeer(connection: number, address: "192.168.1.\(number):5", ip: ip)
            dialogue = Mutex(Dialogue(dialect: dialect, peer: peer))
        }

        var pushes: [SessionOutput] { pushed.withLock { $0 } }

        /// Starts the dialogue, and returns the nonce of the challenge.
        func start(_ store: GatewayStateStore) async -> String {
            var copy = dialogue.withLock { $0 }
            _ = await store.start(&copy)
            return dialogue.withLock { [copy] dialogue in
                dialogue = copy
                return copy.nonce
            }
        }

        func send(_ method: String, _ params: JSONValue, to store: GatewayStateStore) async -> [GatewayAction] {
            let frame = GatewayFrame.request(GatewayRequest(id: "1", method: method, params: params))
            var copy = dialogue.withLock { $0 }
            let actions = await store.receive(frame.encoded, in: &copy) { output in
                self.pushed.withLock { $0.append(output) }
            }
            dialogue.withLock { [copy] in $0 = copy }
            return actions
        }
    }

    private func store(
        _ dialect: GatewayDialect,
        _ state: GatewayState,
        save: GatewayStateStore.Save? = nil
    ) -> GatewayStateStore {
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 3_000)
        return GatewayStateStore(
            state,
            GatewayServerConfiguration(endpoint: endpoint, dialect: dialect),
            save: save,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Returns a client that the gateway does not know yet.
    private func client(_ seed: String, _ scopes: String...) throws -> OpenClawClient {
        var client = try OpenClawClient(seed: String(repeating: seed, count: 32))
        client.auth = ["token": "shared"]
        client.scopes = scopes.map { "operator.\($0)" }
        return client
    }

    private func openClaw(approvesAll: Bool) throws -> GatewayState {
        var state = try GatewayState.example
        state.openClaw.settings = OpenClawSettings(authentication: .token(Secret("shared")), approvesAll: approvesAll)
        return state
    }

    private func connect(
        _ client: OpenClawClient,
        _ connection: Connection,
        _ store: GatewayStateStore
    ) async throws -> [GatewayAction] {
        let nonce = await connection.start(store)
        return await connection.send("connect", try client.params(nonce: nonce, at: .now), to: store)
    }

    private static func ends(_ actions: [GatewayAction]) -> [GatewayAction] {
        actions.filter { if case .close = $0 { true } else { false } }
    }

    private static func sends(_ actions: [GatewayAction]) -> Bool {
        actions.contains { if case .send = $0 { true } else { false } }
    }

    /// A session ends as soon as its device is removed, even if the client that asked for the removal hangs up or reads
    /// nothing before the answer is written.
    @Test func aRevokedSessionEndsBeforeTheAnswerIsWritten() async throws {
        let store = store(.openClaw, try openClaw(approvesAll: true))
        let (asker, other) = (Connection(.openClaw, 1), Connection(.openClaw, 2))
        let victim = try client("ab", "read")
        _ = try await connect(try client("cd", "admin"), asker, store)
        _ = try await connect(victim, other, store)
        let removal: JSONValue = .object(["deviceId": .string(victim.deviceID)])
        let actions = await asker.send("device.pair.remove", removal, to: store)
        #expect(Self.sends(actions) && Self.ends(actions).isEmpty)
        #expect(other.pushes == [.close(4_001, reason: "device removed")])
        #expect(await other.send("agents.list", .object([:]), to: store) == [], "no request is done after the end")
    }

    /// A device that revokes its own token is answered before its session ends, and none of its later requests is
    /// carried out.
    @Test func whoRevokesItselfIsAnsweredFirst() async throws {
        let store = store(.openClaw, try openClaw(approvesAll: true))
        let (own, second) = (Connection(.openClaw, 1), Connection(.openClaw, 2))
        let client = try client("ab", "admin")
        for connection in [own, second] { _ = try await connect(client, connection, store) }
        let rotation: JSONValue = .object(["deviceId": .string(client.deviceID), "role": "operator"])
        let actions = await own.send("device.token.rotate", rotation, to: store)
        #expect(actions.last == .close(4_001, reason: "device removed"))
        #expect(Self.sends(actions.dropLast()))
        #expect(own.pushes.isEmpty)
        #expect(second.pushes == [.close(4_001, reason: "device removed")])
        let before = await store.state
        #expect(await own.send("device.token.rotate", rotation, to: store) == [])
        #expect(await store.state == before)
    }

    /// After a refused `connect`, a second one over the same connection is not answered.
    @Test func nothingIsAnsweredAfterARefusal() async throws {
        let store = store(.openClaw, try openClaw(approvesAll: true))
        let connection = Connection(.openClaw, 1)
        var wrong = try client("ab", "read")
        wrong.auth = ["token": "wrong"]
        #expect(Self.ends(try await connect(wrong, connection, store)).count == 1)
        #expect(try await connect(try client("ab", "read"), connection, store) == [])
        #expect(await store.state.openClaw.devices.devices.isEmpty)
    }

    /// A session whose beginning could not be saved has not begun: later requests over that connection are not
    /// answered.
    @Test func nothingIsAnsweredAfterWhatCouldNotBeKept() async throws {
        let store = store(.openClaw, try openClaw(approvesAll: true)) { (_) throws(ReferenceGatewayError) in
            throw ReferenceGatewayError(.unwritableState, "expected a disk")
        }
        let connection = Connection(.openClaw, 1)
        #expect(try await connect(try client("ab", "read"), connection, store) == [.close(1_011)])
        #expect(await connection.send("agents.list", .object([:]), to: store) == [])
    }

    /// A device that pairs again over its session gets the new tokens before the session, which uses an old one, ends.
    @Test func newTokensComeBeforeTheEndOfTheOld() async throws {
        let store = store(.optaplus, try .example)
        let connection = Connection(.optaplus, 1)
        let device: JSONValue = .object(["deviceId": "d", "deviceName": "n", "requestedBots": "*"])
        _ = await connection.send("device.pair", device, to: store)
        let token = try #require(await store.state.pairings.first?.token)
        let auth: JSONValue = .object(["auth": .object(["token": .string(token)])])
        #expect(await connection.send("connect", auth, to: store).contains(.admit(token: token)))
        let actions = await connection.send("device.pair", device, to: store)
        #expect(actions.last == .close(1_008))
        #expect(Self.sends(actions.dropLast()))
        #expect(connection.pushes.isEmpty)
    }
}
