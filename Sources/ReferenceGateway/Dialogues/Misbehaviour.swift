internal import GatewayProtocol

/// A way in which a gateway misbehaves on purpose, to test whether its clients cope with it.
package enum Misbehaviour: String, Hashable, Sendable, CaseIterable {
    /// Accepts connections and never sends anything.
    case silent
    /// Sends one byte a second.
    case slow
    /// Sends a message of 2 MiB instead of each that it should send.
    case oversized
    /// Sends JSON that is nested 10,000 levels deep instead of each message that it should send.
    case deepJSON = "deep-json"
    /// Claims a fingerprint other than the one that it advertises.
    case wrongFingerprint = "wrong-fingerprint"
    /// Hangs up whenever it should send a message.
    case dropping
    /// Serves no pages, like OpenClaw gateways before 2026.3.1, which have no `/healthz`.
    case noHealth = "no-health"
    /// Speaks a version of Clawline's protocol that is still to come, as its page `/version` says.
    case otherVersion = "other-version"
    /// Sends pongs without end once it has sent a message.
    case pongFlood = "pong-flood"
    /// Sends pings without end once it has sent a message.
    case pingFlood = "ping-flood"
    /// Sends empty messages without end once it has sent a message.
    case messageFlood = "message-flood"

    /// Returns the actions to take instead of the right ones.
    package func apply(to actions: [GatewayAction]) -> [GatewayAction] {
        actions.flatMap { action -> [GatewayAction] in
            switch (self, action) {
            case (.oversized, .send):
                let text = JSONValue.string(String(repeating: "x", count: 2_097_152))
                return [.send(JSONValue.object(["type": "res", "id": "1", "payload": text]).encoded)]
            case (.deepJSON, .send):
                let depth = 10_000
                let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                return [.send(Array(#"{"type":"res","id":"1","ok":true,"payload":\#(nest)}"#.utf8))]
            case (.dropping, .send), (.dropping, .close):
                return [.drop]
            case (.silent, _), (.slow, _), (.oversized, _), (.deepJSON, _), (.wrongFingerprint, _), (.dropping, _),
                (.noHealth, _), (.otherVersion, _), (.pongFlood, _), (.pingFlood, _), (.messageFlood, _):
                return [action]
            }
        }
    }
}
