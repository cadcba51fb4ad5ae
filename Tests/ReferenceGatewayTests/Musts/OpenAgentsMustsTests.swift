import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// OpenAgents, as far as a client depends on its greeting (OpenAgents desktop of 2025-11, `Hello` and `HelloAck`).
@Suite struct OpenAgentsMustsTests {
    /// The rules of the greeting.
    @Test(arguments: Self.musts) func theGreetingIsFollowed(must: Must) throws { try must.expect(of: .openAgents) }

    private static let hello = #"{"type":"Hello","token":"shared"}"#

    private static let musts: [Must] = [
        Must("Hello", "the token is answered, alone or with its type") {
            for (connection, text) in [hello, #"{"token":"shared"}"#].enumerated() {
                let reply = try $0.say(text, on: connection)
                guard reply.close == nil, reply.first?["type"] == "HelloAck" else { return false }
            }
            return true
        },
        Must("Hello", "any other token, and none, ends the connection without a word") {
            for (connection, text) in [
                #"{"type":"Hello","token":"Shared"}"#, #"{"type":"Hello","token":""}"#, #"{"type":"Hello"}"#, "{}",
                #"{"type":"Hello","token":["shared"]}"#,
            ].enumerated() {
                let reply = try $0.say(text, on: connection)
                guard reply.close != nil, reply.answers.isEmpty else { return false }
            }
            return true
        },
        Must("Hello", "nothing is taken before it") { try $0.say(#"{"type":"Prompt","data":{}}"#).close != nil },
        Must("Envelopes", "what follows is envelopes, and no second greeting") {
            try $0.say(hello)
            guard try $0.say(#"{"type":"Prompt","data":{"text":"hi"}}"#).close == nil else { return false }
            return try $0.say(hello).close != nil
        },
        Must("Token", "all devices have the same one, and none displaces another") {
            try $0.say(hello)
            let reply = try $0.say(hello, on: 2)
            let displaces = reply.actions.contains { if case .displace = $0 { true } else { false } }
            return !displaces && reply.first?["type"] == "HelloAck"
        },
        Must("Transport", "it is a WebSocket without TLS") { _ in
            GatewayDialect.openAgents.isWebSocket && GatewayDialect.openAgents.certificateName == nil
        },
    ]
}
