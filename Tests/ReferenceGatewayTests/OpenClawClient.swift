import Crypto
import DNSSD
import GatewayProtocol

@testable import ReferenceGateway

/// A device that connects to an OpenClaw gateway, with whatever mistakes a test needs.
struct OpenClawClient {
    /// The first secret key of RFC 8032 §7.1.
    static let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"

    /// The result of a request: the answer, and the close code and reason if the connection ends.
    struct Outcome {
        /// The payload of a successful answer, such as `hello-ok`.
        var hello: JSONValue?
        var failure: GatewayFailure?
        var close: UInt16?
        var reason = ""
        var actions: [GatewayAction] = []

        var code: String? { failure?.details?["code"]?.string }
        var requestID: String? { failure?.details?["requestId"]?.string }
        var deviceToken: String? { hello?["auth"]?["deviceToken"]?.string }
    }

    var key: Curve25519.Signing.PrivateKey
    var auth: [String: String] = [:]
    var role = "operator"
    var scopes = ["operator.read"]
    var version: OpenClawSignature.Version = .v2
    var platform = "linux"
    var protocols = 3...4
    var clientID = "gateway-client"
    var mode = "backend"
    var hasDevice = true
    var peer = GatewayPeer(connection: 1, address: "192.168.1.20:50000", ip: .init("192.168.1.20"))

    /// A change of the parameters that is made after they were signed.
    var tampering: @Sendable (inout [String: JSONValue]) -> Void = { _ in }

    /// The difference between the clocks of the device and of the gateway, in milliseconds; positive if the device's
    /// clock is ahead.
    var clockError = 0

    init(seed: String = Self.seed) throws {
        let digits = Array(seed)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    }

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
    var deviceID: String { DeviceProof.identifier(of: publicKey) }

    /// Connects with a new dialogue, which is not used for anything else.
    func connect(_ state: inout GatewayState, at time: GatewayTime = .start) throws -> Outcome {
        var dialogue = Dialogue(dialect: .openClaw, peer: peer)
        return try connect(&dialogue, &state, at: time)
    }

    func connect(_ dialogue: inout Dialogue, _ state: inout GatewayState, at time: GatewayTime) throws -> Outcome {
        var generator = SystemRandomNumberGenerator()
        _ = dialogue.start(at: time, using: &generator)
        let frame = GatewayFrame.request(
            GatewayRequest(id: "1", method: "connect", params: try params(nonce: dialogue.nonce, at: time))
        )
        return try Self.outcome(
            dialogue.receive(frame.encoded, state: &state, at: time, using: &generator)
        )
    }

    /// Sends a request in a session.
    static func ask(
        _ method: String,
        _ dialogue: inout Dialogue,
        _ state: inout GatewayState,
        _ params: JSONValue = .object([:]),
        at time: GatewayTime = .start
    ) throws -> Outcome {
        var generator = SystemRandomNumberGenerator()
        let frame = GatewayFrame.request(GatewayRequest(id: "2", method: method, params: params))
        return try outcome(dialogue.receive(frame.encoded, state: &state, at: time, using: &generator))
    }

    private static func outcome(_ actions: [GatewayAction]) throws -> Outcome {
        var outcome = Outcome(actions: actions)
        for action in actions {
            switch action {
            case .send(let bytes):
                guard case .response(let response) = try GatewayFrame(parsing: bytes) else { continue }
                switch response.outcome {
                case .success(let payload): outcome.hello = payload
                case .failure(let failure): outcome.failure = failure
                }
            case .close(let code, let reason): (outcome.close, outcome.reason) = (code, reason)
            default: break
            }
        }
        return outcome
    }

    func params(nonce: String, at time: GatewayTime) throws -> JSONValue {
        let date = time.date + clockError
        let signed = OpenClawSignature(
            deviceID: deviceID,
            clientID: clientID,
            clientMode: mode,
            role: role,
            scopes: scopes,
            signedAt: date,
            token: (auth["token"] ?? auth["deviceToken"] ?? auth["bootstrapToken"]).map { Secret($0) },
            nonce: nonce,
            platform: platform
        )
        var fields: [String: JSONValue] = [
            "minProtocol": .number(JSONNumber(protocols.lowerBound)),
            "maxProtocol": .number(JSONNumber(protocols.upperBound)),
            "client": .object([
                "id": .string(clientID), "mode": .string(mode), "version": "1", "platform": .string(platform),
                "displayName": "Kitchen Pi",
            ]),
            "role": .string(role), "scopes": .array(scopes.map(JSONValue.string)), "caps": .array([]),
        ]
        if !auth.isEmpty { fields["auth"] = .object(auth.mapValues(JSONValue.string)) }
        if hasDevice {
            let signature = Array(try key.signature(for: signed.text(version)))
            fields["device"] = .object([
                "id": .string(deviceID), "publicKey": .string(Base64.url.encode(publicKey)),
                "signature": .string(Base64.url.encode(signature)), "signedAt": .number(JSONNumber(date)),
                "nonce": .string(nonce),
            ])
        }
        tampering(&fields)
        return .object(fields)
    }
}
