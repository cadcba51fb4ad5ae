/// The event `connect.challenge`, which an OpenClaw gateway sends at once to every client that connects.
package struct ConnectChallenge: Hashable, Sendable {
    /// The text that the device must sign, at most 256 bytes.
    package let nonce: String

    /// The gateway's time in milliseconds since 1970, where it is sent.
    package let timestamp: Int?

    /// Creates a challenge. A nonce that is empty or has more than 256 bytes cannot be read back.
    package init(nonce: String, timestamp: Int?) {
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// Reads the challenge from an event; `nil` when it is another event, or has no nonce.
    package init?(_ event: GatewayEvent) {
        guard event.name == "connect.challenge", let nonce = event.payload?["nonce"]?.string,
            (1...256).contains(nonce.utf8.count)
        else { return nil }
        self.nonce = nonce
        self.timestamp = event.payload?["ts"]?.int
    }

    /// The event that carries the challenge.
    package var event: GatewayEvent {
        var payload: [String: JSONValue] = ["nonce": .string(nonce)]
        payload["ts"] = timestamp.map { .number(JSONNumber($0)) }
        return GatewayEvent(name: "connect.challenge", payload: .object(payload))
    }
}
