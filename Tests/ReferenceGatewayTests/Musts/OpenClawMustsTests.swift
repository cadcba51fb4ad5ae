import DNSSD
import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The OpenClaw gateway, by what was read in and seen of its releases 2026.1 to 2026.8
/// (`shared/facts/openclaw-pairing.md`, whose sections are named). Its schemas, proofs and requests are tested in detail in
/// `OpenClawConnectTests` and `OpenClawPairingTests`.
@Suite struct OpenClawMustsTests {
    /// The rules of each era, which the device follows without the code of the client.
    @Test(arguments: handshake + rights) func eachReleaseIsPlayed(must: Must) throws {
        try must.expect(of: .openClaw)
    }

    private static let all = OpenClawEra.allCases
    private static let withCodes = all.filter { $0 > .january2026 }
    private static let bounded = all.filter { $0 >= .july2026 }

    private static func requestID(_ reply: RawGateway.Reply) -> String? {
        reply.first?["error"]?["details"]?["requestId"]?.string
    }

    private static func isHello(_ reply: RawGateway.Reply) -> Bool { reply.first?["payload"]?["type"] == "hello-ok" }

    private static let handshake: [Must] = [
        Must("1", "the gateway speaks first, and takes nothing before connect", eras: all) {
            let challenge = try $0.open(1).first
            let refusal = try $0.say(#"{"type":"req","id":"1","method":"health"}"#)
            return challenge?["event"] == "connect.challenge" && challenge?["payload"]?["nonce"]?.string != nil
                && challenge?["payload"]?["ts"]?.int != nil && refusal.close == 1_008
                && refusal.words == "invalid handshake: first request must be connect"
        },
        Must("1, 1", "more than 64 KiB before authentication end the connection with 1009", eras: all) {
            try $0.say(#"{"x":"\#(String(repeating: "x", count: 65_536))"}"#).close == 1_009
        },
        Must("1, 3", "the schema is closed, and checked before everything else", eras: all) {
            for key in ["client", "device", "auth", ""] {
                var device = RawDevice(["token": "wrong"])
                device.tampering = { params in
                    var fields = params[key]?.object ?? params
                    fields["buildId"] = "1"
                    if key.isEmpty { params = fields } else { params[key] = .object(fields) }
                }
                let reply = try device.connect(&$0)
                guard reply.close == 1_008, reply.words.contains("unexpected property 'buildId'") else { return false }
            }
            return true
        },
        Must("1, 4; 5", "another range of protocols is refused with 1002", eras: all) {
            var device = RawDevice()
            device.protocols = (5, 9)
            let reply = try device.connect(&$0)
            return reply.close == 1_002 && reply.first?["error"]?["details"]?["expectedProtocol"]?.int != nil
        },
        Must("1", "a wrong signature is reported before a wrong token", eras: withCodes) {
            var device = RawDevice(["token": "wrong"])
            device.tampering = { $0["role"] = "node" }
            return try device.connect(&$0).detail == "DEVICE_AUTH_SIGNATURE_INVALID"
        },
        Must("1", "an unknown device without a secret makes no request", eras: withCodes) {
            let reply = try RawDevice([:]).connect(&$0)
            return reply.detail == "AUTH_TOKEN_MISSING" && $0.state.openClaw.requests.requests.isEmpty
        },
        Must("3", "signatures of the second form are taken by all, of the third since February", eras: all) {
            var device = RawDevice()
            guard try device.connect(&$0).code == "NOT_PAIRED" else { return false }
            device.version = 3
            return try (device.connect(&$0).code == "NOT_PAIRED") == ($0.state.openClaw.settings.era > .january2026)
        },
        Must("3", "a signature is of the gateway's time, within two minutes", eras: withCodes) {
            var device = RawDevice()
            device.clockError = 120_001
            guard try device.connect(&$0).detail == "DEVICE_AUTH_SIGNATURE_EXPIRED" else { return false }
            device.clockError = 120_000
            return try device.connect(&$0).code == "NOT_PAIRED"
        },
        Must("5", "each close is 1008, and the request is named in the details", eras: all) {
            let reply = try RawDevice().connect(&$0)
            return reply.close == 1_008 && reply.code == "NOT_PAIRED" && requestID(reply)?.isEmpty == false
        },
        Must("6", "a request keeps its identifier until it is decided; after a rejection it is another one", eras: all)
        {
            let device = RawDevice()
            let id = try #require(requestID(try device.connect(&$0)))
            guard requestID(try device.connect(&$0)) == id else { return false }
            try $0.operate("reject", id)
            return try requestID(device.connect(&$0)) != id
        },
        Must("7", "every hello-ok has the same token, and all eras take it as the token", eras: all) {
            var device = RawDevice()
            let token = try device.pair(&$0)
            device.auth = ["token": token]
            let payload = try device.connect(&$0).first?["payload"]
            return payload?["auth"]?["deviceToken"] == .string(token)
                && payload?["auth"]?["scopes"] == .array(["operator.read"])
        },
        Must("2", "January knows no device token by its name", eras: all) {
            var device = RawDevice()
            device.auth = ["deviceToken": try device.pair(&$0)]
            return try isHello(device.connect(&$0)) == ($0.state.openClaw.settings.era > .january2026)
        },
        Must("5", "the eleventh attempt is refused since July, and since August it says until when", eras: all) {
            for _ in 0..<10 { _ = try RawDevice(["token": "wrong"]).connect(&$0) }
            let (error, era) = (try RawDevice().connect(&$0).first?["error"], $0.state.openClaw.settings.era)
            let isLocked = error?["details"]?["code"] == "AUTH_RATE_LIMITED"
            let pause = era >= .august2026 ? 300_000 : nil
            return isLocked == (era >= .july2026) && error?["retryAfterMs"]?.int == pause
        },
        Must("11", "a lock-out leaves sessions alone", eras: bounded) {
            let device = RawDevice()
            _ = try device.pair(&$0)
            _ = try device.connect(&$0, on: 2)
            for _ in 0..<11 { _ = try RawDevice(["token": "wrong"]).connect(&$0) }
            return try RawDevice.ask("agents.list", &$0, on: 2).first?["ok"] == true
        },
    ]

    private static let rights: [Must] = [
        Must("7", "a method needs its scope; since August the refusal has a code and names it", eras: all) {
            let device = RawDevice()
            _ = try device.pair(&$0)
            let reply = try RawDevice.ask("device.pair.list", &$0, on: 80)
            guard reply.words == "missing scope: operator.pairing", reply.close == nil else { return false }
            guard $0.state.openClaw.settings.era >= .august2026 else { return reply.code == "INVALID_REQUEST" }
            return reply.code == "FORBIDDEN" && reply.detail == "MISSING_SCOPE"
                && reply.first?["error"]?["details"]?["missingScope"] == "operator.pairing"
        },
        Must("7", "more than ten calls of another role's methods end the connection", eras: all) {
            var node = RawDevice()
            (node.role, node.scopes) = ("node", [])
            _ = try node.pair(&$0)
            for _ in 0..<10 {
                guard try RawDevice.ask("health", &$0, on: 80).close == nil else { return false }
            }
            return try RawDevice.ask("health", &$0, on: 80).close == 1_008
        },
        Must("11", "who may only approve decides about itself alone since July, and about all before", eras: all) {
            _ = try RawDevice(["token": "shared"], "pairing").pair(&$0)
            let id = try #require(requestID(try RawDevice().connect(&$0, on: 2)))
            let waiting = try RawDevice.ask("device.pair.list", &$0, on: 80).first?["payload"]?["pending"]?.array
            let params: JSONValue = .object(["requestId": .string(id)])
            let isDone = try RawDevice.ask("device.pair.reject", &$0, params, on: 80).first?["ok"] == true
            let mayDecide = $0.state.openClaw.settings.era < .july2026
            return isDone == mayDecide && waiting?.count == (mayDecide ? 1 : 0)
        },
        Must("4, 11", "an admin of the gateway decides about others, removes them, and approves nodes", eras: bounded) {
            for (scope, isAllowed) in [("pairing", false), ("admin", true)] {
                var gateway = $0
                _ = try RawDevice(["token": "shared"], scope).pair(&gateway)
                let other = RawDevice()
                _ = try other.connect(&gateway, on: 2)
                try gateway.operate("approve", requestID(try other.connect(&gateway, on: 2)) ?? "")
                var node = RawDevice()
                (node.role, node.scopes) = ("node", [])
                let asked: JSONValue = .object([
                    "requestId": .string(requestID(try node.connect(&gateway, on: 3)) ?? "")
                ])
                let approval = try RawDevice.ask("device.pair.approve", &gateway, asked, on: 80)
                let known: JSONValue = .object(["deviceId": .string(other.id)])
                let removal = try RawDevice.ask("device.pair.remove", &gateway, known, on: 80)
                guard (approval.first?["ok"] == true) == isAllowed, (removal.first?["ok"] == true) == isAllowed else {
                    return false
                }
            }
            return true
        },
        Must("6", "an approver grants no scope that it lacks", eras: [.april2026]) {
            _ = try RawDevice(["token": "shared"], "pairing").pair(&$0)
            let asked = try RawDevice(["token": "shared"], "admin").connect(&$0, on: 2)
            let params: JSONValue = .object(["requestId": .string(try #require(requestID(asked)))])
            let reply = try RawDevice.ask("device.pair.approve", &$0, params, on: 80)
            return reply.words == "missing scope: operator.admin"
        },
        Must("8", "who was revoked loses its connections and its token, and asks for its role anew", eras: withCodes) {
            var device = RawDevice()
            let token = try device.pair(&$0)
            guard try $0.operate("revoke", device.id).actions.contains(.remove(deviceID: device.id)) else {
                return false
            }
            let again = try device.connect(&$0).first?["error"]?["details"]?["reason"]
            device.auth = ["deviceToken": token]
            return try again == "role-upgrade" && device.connect(&$0).detail == "AUTH_DEVICE_TOKEN_MISMATCH"
        },
        Must("4", "a code over ws is limited, and never opens the approving of devices", eras: bounded) {
            for (url, scope, isOpened) in [
                ("wss://h:1", "admin", true), ("ws://h:1", "admin", false), ("ws://h:1", "write", true),
                ("wss://h:1", "pairing", false),
            ] {
                let code = try $0.operate("code", url: url).first?["payload"]?["code"]?.string ?? ""
                let token = try #require(SetupCode(parsing: Secret(code)).bootstrapToken.revealed)
                let reply = try RawDevice(["bootstrapToken": token], scope).connect(&$0)
                guard (reply.code == "NOT_PAIRED") == isOpened else { return false }
            }
            return true
        },
        Must("4", "a code works once, and a spent one is answered as an unknown one", eras: withCodes) {
            let code = try $0.operate("code").first?["payload"]?["code"]?.string ?? ""
            let token = try #require(SetupCode(parsing: Secret(code)).bootstrapToken.revealed)
            _ = try RawDevice(["bootstrapToken": token]).pair(&$0)
            let spent = try RawDevice(["bootstrapToken": token]).connect(&$0)
            let unknown = try RawDevice(["bootstrapToken": "x"]).connect(&$0)
            return spent.detail == "AUTH_BOOTSTRAP_TOKEN_INVALID" && spent.words == unknown.words
                && spent.detail == unknown.detail
        },
        Must("11", "readiness is kept from other hosts since August, where a secret is demanded", eras: all) { _ in
            let pages = ReadinessPages(.failing(["discord"]))
            return OpenClawEra.allCases.filter(\.hidesReadiness) == [.august2026]
                && pages.answer(to: "/readyz", isHidden: true)?.status == 403
                && pages.answer(to: "/startupz", isHidden: true)?.status == 403
                && pages.answer(to: "/readyz")?.status == 503
                && pages.answer(to: "/healthz", isHidden: true) == nil
        },
    ]
}
