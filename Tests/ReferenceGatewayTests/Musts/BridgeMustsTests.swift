import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The Clawdbot bridge, by its description (`docs/gateway/bridge-protocol.md`) and, where that is silent, by the released
/// bridge (Clawdbot 2026.1, `src/infra/bridge/server/connection.ts`).
@Suite struct BridgeMustsTests {
    /// Every order and every answer that a node depends on.
    @Test(arguments: Self.musts) func theDescriptionIsFollowed(must: Must) throws { try must.expect(of: .bridge) }

    private static let health = #"{"type":"req","id":"7","method":"health","paramsJSON":"{}"}"#

    private static func hello(_ node: String = "n1", token: String? = nil) -> String {
        let token = token.map { #","token":"\#($0)""# } ?? ""
        return #"{"type":"hello","nodeId":"\#(node)","displayName":"Pad","platform":"linux","version":"1"\#(token)}"#
    }

    private static func pairRequest(_ node: String = "n1") -> String {
        #"{"type":"pair-request","nodeId":"\#(node)","displayName":"Pad","platform":"linux","version":"1"}"#
    }

    /// Pairs a node on a connection of its own, and returns its token.
    private static func token(
        _ gateway: inout RawGateway,
        _ node: String = "n1",
        on connection: Int = 90
    ) throws -> String {
        try gateway.say(pairRequest(node), on: connection)
        return try #require(try gateway.operate("approve", node).others.first?["token"]?.string)
    }

    private static func isError(_ reply: RawGateway.Reply, _ code: String, _ words: String) -> Bool {
        reply.answers.count == 1 && reply.first?["type"] == "error" && reply.code == code && reply.words == words
            // After an error the node may say something better.
            && reply.close == nil
    }

    private static let musts: [Must] = [
        Must("Handshake, 1 and 2", "a node without a token is told that it is not paired, and may ask on the same line")
        {
            let isRefused = isError(try $0.say(hello()), "NOT_PAIRED", "pairing required")
            return try isRefused && $0.say(pairRequest()).actions.contains(.hold(deviceID: "n1"))
        },
        Must("handleHello", "a paired node without its token is unauthorized, and not unknown") {
            _ = try token(&$0)
            return try isError($0.say(hello()), "UNAUTHORIZED", "pairing required")
                && isError(try $0.say(hello(token: "")), "UNAUTHORIZED", "pairing required")
        },
        Must("handleHello", "a token opens nothing but the session of its own node") {
            let token = try token(&$0)
            return try isError($0.say(hello(token: "x")), "UNAUTHORIZED", "invalid token")
                && isError(try $0.say(hello("n2", token: token), on: 2), "UNAUTHORIZED", "invalid token")
        },
        Must("handleHello, handlePairRequest", "a node has a name") {
            try isError($0.say(hello("")), "INVALID_REQUEST", "nodeId required")
                && isError(try $0.say(pairRequest("")), "INVALID_REQUEST", "nodeId required")
        },
        Must("Handshake, 4", "a request is answered once the operator has decided: first the token, then the greeting")
        {
            guard try $0.say(pairRequest()).answers.isEmpty else { return false }
            let granted = try $0.operate("approve", "n1").others
            return granted.count >= 2 && granted[0]["type"] == "pair-ok" && granted[1]["type"] == "hello-ok"
                && granted[1]["serverName"]?.string?.isEmpty == false
        },
        Must("waitForApproval", "who was rejected is unauthorized") {
            try $0.say(pairRequest())
            let told = try $0.operate("reject", "n1").others.first
            return told?["code"] == "UNAUTHORIZED" && told?["message"] == "pairing rejected"
        },
        Must("handleRequest", "before the greeting a request is answered in its own form, with its identifier") {
            let answer = try $0.say(health).first
            return answer?["type"] == "res" && answer?["id"] == "7" && answer?["ok"] == false
                && answer?["error"]?["code"] == "UNAUTHORIZED" && answer?["error"]?["message"] == "not authenticated"
        },
        Must("Frames", "before the greeting no event, ping or answer is taken; a pong is ignored") {
            for text in [
                #"{"type":"event","event":"x"}"#, #"{"type":"ping","id":"1"}"#,
                #"{"type":"invoke-res","id":"1","ok":true}"#,
            ] {
                guard isError(try $0.say(text), "UNAUTHORIZED", "not authenticated") else { return false }
            }
            return try $0.say(#"{"type":"pong","id":"1"}"#).answers.isEmpty
        },
        Must("Frames", "a request that waits is not a session: its pings are refused until then") {
            try $0.say(pairRequest())
            guard isError(try $0.say(#"{"type":"ping","id":"1"}"#), "UNAUTHORIZED", "not authenticated") else {
                return false
            }
            try $0.operate("approve", "n1")
            return try $0.say(#"{"type":"ping","id":"2"}"#).first == .object(["type": "pong", "id": "2"])
        },
        Must("Frames", "after the greeting requests are answered as JSON in a text, and others forbidden") {
            try $0.say(hello(token: try token(&$0)))
            let answer = try $0.say(health).first
            let other = try $0.say(#"{"type":"req","id":"8","method":"config.set"}"#)
            return answer?["ok"] == true && answer?["payloadJSON"]?.string != nil && other.first?["id"] == "8"
                && other.first?["ok"] == false && other.code == "FORBIDDEN"
        },
        Must("handleHello", "a second connection of a node ends the first") {
            let token = try token(&$0)
            return try $0.say(hello(token: token)).actions.contains(.displace(token: token))
        },
        Must("Handshake, 3", "a node that pairs anew has a new token, and the old one ends") {
            let old = try token(&$0)
            let new = try token(&$0, on: 91)
            return try old != new && isError($0.say(hello(token: old)), "UNAUTHORIZED", "invalid token")
                && $0.say(hello(token: new), on: 2).first?["type"] == "hello-ok"
        },
        Must("handleInvokeResponse", "an answer to a command has its identifier and, where it fails, a code") {
            $0.state.bridge.invokesAtHello = true
            try $0.say(hello(token: try token(&$0)))
            for rest in [#","ok":false,"error":{"code":"NODE_BACKGROUND_UNAVAILABLE"}"#, #","ok":false"#, ""] {
                try $0.say(#"{"type":"invoke-res","id":"invoke-1"\#(rest)}"#)
            }
            return $0.state.bridge.answers == ["NODE_BACKGROUND_UNAVAILABLE", "malformed", "malformed"]
        },
    ]
}
