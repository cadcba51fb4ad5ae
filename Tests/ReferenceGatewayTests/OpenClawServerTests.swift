import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Logging
import Testing

@testable import ReferenceGateway

/// An OpenClaw gateway that listens on loopback, and its operator, who uses the control socket.
@Suite(.timeLimit(.minutes(1))) struct OpenClawServerTests {
    // A gateway that ticks every 20 ms has sent many before a machine that pauses goes on.
    private static let limits = ConnectionLimits(frames: .max, duration: .seconds(10))

    /// Runs a closure with a folder, which is removed afterwards.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// Answers the challenge with `connect`, and returns the outcome.
    private static func connect(
        _ connection: inout WebSocketConnection,
        _ client: OpenClawClient
    ) async throws -> Result<JSONValue?, GatewayFailure> {
        guard case .message(let greeting) = await connection.next(),
            case .event(let event) = try GatewayFrame(parsing: greeting), let challenge = ConnectChallenge(event)
        else { throw CancellationError() }
        let params = try client.params(nonce: challenge.nonce, at: .now)
        let request = GatewayRequest(id: "1", method: "connect", params: params)
        try await connection.send(GatewayFrame.request(request).encoded)
        guard case .message(let bytes) = await connection.next(),
            case .response(let response) = try GatewayFrame(parsing: bytes)
        else { throw CancellationError() }
        return response.outcome
    }

    /// A device asks for approval, is approved, receives ticks, and is revoked, which ends its session. The log
    /// contains the secrets that were received.
    @Test func aDeviceWaitsIsApprovedHearsTicksAndIsRevoked() async throws {
        try await withFolder { folder in
            let certificate = try GatewayCertificate.make(commonName: "openclaw-gateway")
            let address = try #require(IPAddress("127.0.0.1"))
            var configuration = GatewayServerConfiguration(
                endpoint: Endpoint(address: address, port: 0),
                dialect: .openClaw,
                certificate: certificate,
                file: StateFile(path: folder.appending(path: "s.json").path)
            )
            let log = folder.appending(path: "secrets").path
            configuration.secretLog = try SecretLog(path: log)
            var state = try GatewayState.example
            state.openClaw.settings = OpenClawSettings(authentication: .token(Secret("shared")), tickInterval: 20)
            let socket = ControlSocket(state: folder.appending(path: "s.json").path)
            var client = try OpenClawClient()
            client.auth = ["token": "shared"]
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await GatewayServer.withServer(state, configuration, logger: logger) { [client] server in
                try await server.withControl(at: socket) {
                    try await Self.talk(server, client, socket, certificate.fingerprint)
                }
            }
            #expect(!FileManager.default.fileExists(atPath: socket.path))
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2)
            let line = try JSONValue(parsing: Array(try #require(lines.first).utf8))
            #expect(line["field"]?.string == "params.auth.token")
            #expect(line["secret"]?.string == "shared")
            #expect(line["peer"]?.string?.hasPrefix("127.0.0.1:") == true)
            let attributes = try FileManager.default.attributesOfItem(atPath: log)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    private static func talk(
        _ server: GatewayServer,
        _ client: OpenClawClient,
        _ socket: ControlSocket,
        _ leaf: LeafFingerprint
    ) async throws {
        func operate(_ method: String, _ id: String) async throws {
            let request = GatewayRequest(id: "1", method: method, params: .object(["id": .string(id)]))
            _ = try await socket.ask(request).outcome.get()
        }

        let attributes = try FileManager.default.attributesOfItem(atPath: socket.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await WebSocketConnection.withConnection(
            to: [server.endpoint],
            transport: .tls(pin: leaf),
            limits: limits
        ) { connection in
            guard case .failure(let failure) = try await connect(&connection, client) else { throw CancellationError() }
            let refusal = SessionRefusal(failure, dialect: .openClaw, credential: .sharedToken)
            #expect(refusal.reason == .notPaired)
            guard case .closed(let close) = await connection.next() else { throw CancellationError() }
            #expect(close.code == 1_008)
            try await operate("approve", try #require(refusal.requestID))
        }
        try await WebSocketConnection.withConnection(
            to: [server.endpoint],
            transport: .tls(pin: leaf),
            limits: limits
        ) { connection in
            let hello = try HelloOK(json: try await connect(&connection, client).get())
            #expect(hello.deviceToken != nil)
            #expect(hello.signature == .v3)
            guard case .message(let bytes) = await connection.next(),
                case .event(let event) = try GatewayFrame(parsing: bytes)
            else { throw CancellationError() }
            #expect(event.name == "tick")
            try await operate("revoke", client.deviceID)
            while true {
                switch await connection.next() {
                case .message: continue
                case .closed(let close):
                    #expect(close.code == 4_001)
                    return
                case let other:
                    Issue.record("\(other)")
                    return
                }
            }
        }
    }

    /// A gateway that is still starting is tried again soon with the same credential, by the rule for clients.
    @Test func aGatewayThatStartsIsTriedAgain() async throws {
        let endpoint = Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0)
        var state = try GatewayState.example
        state.openClaw.settings = OpenClawSettings(authentication: .token(Secret("shared")), approvesAll: true)
        state.openClaw.readyAt = .max
        var client = try OpenClawClient()
        client.auth = ["token": "shared"]
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let configuration = GatewayServerConfiguration(endpoint: endpoint, dialect: .openClaw)
        try await GatewayServer.withServer(state, configuration, logger: logger) { [client] server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                guard case .failure(let failure) = try await Self.connect(&connection, client) else {
                    throw CancellationError()
                }
                let refusal = SessionRefusal(failure, dialect: .openClaw, credential: .sharedToken)
                #expect(refusal.reason == .starting)
                #expect(refusal.rule == .after(.seconds(1)))
                guard case .closed(let close) = await connection.next() else { throw CancellationError() }
                #expect(close.code == 1_013)
            }
            await server.change { $0.openClaw.readyAt = 0 }
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                let hello = try HelloOK(json: try await Self.connect(&connection, client).get())
                #expect(hello.deviceToken != nil)
            }
        }
    }

    /// A control socket belongs to one gateway: the socket of a gateway that was killed is taken over, but not one that
    /// answers.
    @Test func aSocketHasOneGateway() async throws {
        try await withFolder { folder in
            let socket = ControlSocket(state: folder.appending(path: "s.json").path)
            let configuration = GatewayServerConfiguration(
                endpoint: Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0)
            )
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await GatewayServer.withServer(try .example, configuration, logger: logger) { server in
                try await server.withControl(at: socket) {
                    await #expect { try await server.withControl(at: socket) {} } throws: {
                        ($0 as? ReferenceGatewayError)?.code == .noControl
                    }
                }
                try await server.withControl(at: socket) {}
            }
            await #expect(throws: ReferenceGatewayError.self) {
                _ = try await socket.ask(GatewayRequest(id: "1", method: "devices"))
            }
        }
    }

    /// What others have put in place of the folder or the socket is not asked, though a gateway of this user answers there.
    @Test func whatOthersMayHavePutThereIsNotAsked() async throws {
        try await withFolder { folder in
            let socket = ControlSocket(path: folder.appending(path: "gateway-1.socket").path)
            let link = ControlSocket(path: folder.appending(path: "gateway-2.socket").path)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: socket.path)
            let configuration = GatewayServerConfiguration(
                endpoint: Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0)
            )
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let request = GatewayRequest(id: "1", method: "devices")
            try await GatewayServer.withServer(try .example, configuration, logger: logger) { server in
                try await server.withControl(at: socket) {
                    _ = try await socket.ask(request)
                    let error = await #expect(throws: ReferenceGatewayError.self) { try await link.ask(request) }
                    #expect(error?.description.contains("expected a socket, found a symbolic link") == true)
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
                    let open = await #expect(throws: ReferenceGatewayError.self) { try await socket.ask(request) }
                    #expect(open?.description.contains("found one to which others may") == true)
                }
            }
        }
    }

    /// A path that the system does not take is said as that, and not by the name of an error.
    @Test func aLongPathOfTheControlSocketIsSaid() async {
        let socket = ControlSocket(state: "/tmp/" + String(repeating: "x", count: 120))
        let error = await #expect(throws: ReferenceGatewayError.self) {
            try await socket.ask(GatewayRequest(id: "1", method: "devices"))
        }
        #expect(error?.description.contains("expected a path of at most 103 bytes") == true, "\(error as Any)")
    }
}
