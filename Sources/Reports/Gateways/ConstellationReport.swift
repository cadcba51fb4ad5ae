internal import DNSSD
package import GatewayProtocol
package import Scanning

/// All bots with the known ways to reach them, as a document.
package struct ConstellationReport: JSONReport {
    private let bots: [BotAtGatewayReport]

    /// Creates the document of the bots, in this order.
    package init(_ bots: [BotAtGatewayReport]) {
        self.bots = bots
    }

    package var fields: [String: JSONValue] { ["bots": .array(bots.map(\.json))] }
}

/// A bot at the gateway that has it.
package struct BotAtGatewayReport: JSONReport {
    private let bot: Bot
    private let gateway: Gateway
    private let state: BotState
    private let trust: String?
    private let remoteURL: String?
    private let lastSeen: Timestamp?

    /// Creates the report of a bot at a gateway.
    ///
    /// - Parameters:
    ///   - bot: The bot.
    ///   - gateway: The row of its gateway.
    ///   - state: Its state with what is known of its gateway; `nil` for its own.
    ///   - trust: The kind of its trust policy as one word, if it is paired. It is a text, so that this module does not
    ///     depend on the store of pairings.
    ///   - remoteURL: The address of its gateway outside of this network, if it is paired and has one.
    ///   - lastSeen: The time at which its gateway was last seen, if that is known.
    package init(
        _ bot: Bot,
        at gateway: Gateway,
        state: BotState? = nil,
        trust: String?,
        remoteURL: String? = nil,
        lastSeen: Timestamp?
    ) {
        self.bot = bot
        self.gateway = gateway
        self.state = state ?? bot.state
        self.trust = trust
        self.remoteURL = remoteURL
        self.lastSeen = lastSeen
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(bot.id.bot.text),
            "name": .string(bot.name),
            "emoji": JSONValue(bot.emoji),
            "gateway": .string(gateway.id.description),
            "gatewayName": .string(gateway.name),
            "fingerprint": JSONValue(bytes: gateway.fingerprint?.bytes),
            "status": JSONValue(bot.status),
            "state": .string(state.rawValue),
            "isPaired": .bool(bot.isPaired),
            "trust": JSONValue(trust),
            "path": JSONValue(gateway.paths.first?.endpoint.description),
            "remoteURL": JSONValue(remoteURL),
            "latencyMs": JSONValue(milliseconds: gateway.paths.first?.roundTrip),
            "lastSeen": JSONValue(lastSeen?.description),
        ]
        .with(.formerState, words: FormerWords.ofSessions)
    }
}
