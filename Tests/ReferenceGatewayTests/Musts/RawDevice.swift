import Crypto
import Foundation
import GatewayProtocol

@testable import ReferenceGateway

/// A device of an OpenClaw gateway, which makes its `connect` and its signature by itself, after the description of the
/// protocol alone.
struct RawDevice {
    let key = Curve25519.Signing.PrivateKey()
    var auth: [String: String]
    var role = "operator"
    var scopes = ["operator.read"]

    /// The version of the text that is signed.
    var version = 2

    /// The difference between the clocks of the device and of the gateway, in milliseconds.
    var clockError = 0
    var protocols = (3, 4)

    /// A change of the parameters after they were signed.
    var tampering: (inout [String: JSONValue]) -> Void = { _ in }

    init(_ auth: [String: String] = ["token": "shared"], _ scopes: String...) {
        self.auth = auth
        if !scopes.isEmpty { self.scopes = scopes.map { "operator.\($0)" } }
    }

    var id: String {
        SHA256.hash(data: key.publicKey.rawRepresentation).map { String(format: "%02x", $0) }.joined()
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().filter { $0 != "=" }.map { ["+": "-", "/": "_"][$0] ?? String($0) }.joined()
    }

    /// Opens a connection, and connects.
    func connect(_ gateway: inout RawGateway, on connection: Int = 1) throws -> RawGateway.Reply {
        let challenge = try gateway.open(connection).first?["payload"]
        let nonce = challenge?["nonce"]?.string ?? ""
        let date = (challenge?["ts"]?.int ?? 0) + clockError
        let token = auth["token"] ?? auth["deviceToken"] ?? auth["bootstrapToken"] ?? ""
        var parts = [
            "v\(version)", id, "gateway-client", "backend", role, scopes.joined(separator: ","), "\(date)", token,
            nonce,
        ]
        if version == 3 { parts += ["linux", ""] }
        let signature = try key.signature(for: Data(parts.joined(separator: "|").utf8))
        var params: [String: JSONValue] = [
            "minProtocol": .number(JSONNumber(protocols.0)), "maxProtocol": .number(JSONNumber(protocols.1)),
            "client": .object(["id": "gateway-client", "mode": "backend", "version": "1", "platform": "linux"]),
            "role": .string(role), "scopes": .array(scopes.map(JSONValue.string)), "caps": .array([]),
            "auth": .object(auth.mapValues(JSONValue.string)),
            "device": .object([
                "id": .string(id), "publicKey": .string(Self.base64(key.publicKey.rawRepresentation)),
                "signature": .string(Self.base64(signature)), "signedAt": .number(JSONNumber(date)),
                "nonce": .string(nonce),
            ]),
        ]
        tampering(&params)
        return try Self.ask("connect", &gateway, .object(params), on: connection)
    }

    /// Has itself approved, and returns its token.
    func pair(_ gateway: inout RawGateway) throws -> String {
        let asked = try connect(&gateway, on: 80)
        try gateway.operate("approve", asked.first?["error"]?["details"]?["requestId"]?.string ?? "")
        return try connect(&gateway, on: 80).first?["payload"]?["auth"]?["deviceToken"]?.string ?? ""
    }

    /// Sends a request on a connection.
    static func ask(
        _ method: String,
        _ gateway: inout RawGateway,
        _ params: JSONValue = .object([:]),
        on connection: Int = 1
    ) throws -> RawGateway.Reply {
        let frame: JSONValue = .object(["type": "req", "id": "9", "method": .string(method), "params": params])
        return try gateway.say(String(decoding: frame.encoded, as: UTF8.self), on: connection)
    }
}
