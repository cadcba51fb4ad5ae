public import Constellation
internal import DNSSD
public import GatewayProtocol
public import PairingStore

/// All bots with the known ways to reach them, as a document.
public struct ConstellationReport: JSONReport {
    private let bots: [PlacedBotReport]

    public init(_ bots: [PlacedBotReport]) {
        self.bots = bots
    }

    public var fields: [String: JSONValue] { ["bots": .array(bots.map(\.json))] }
}

/// A bot at the gateway that has it.
public struct PlacedBotReport: JSONReport {
    private let bot: Bot
    private let gateway: Gateway
    private let trust: TrustPolicy?
    private let lastSeen: Timestamp?

    /// - Parameters:
    ///   - bot: The bot.
    ///   - gateway: The row of its gateway.
    ///   - trust: The trust policy of its pairing, if it is paired.
    ///   - lastSeen: The time at which its gateway was last seen, if that is known.
    public init(_ bot: Bot, at gateway: Gateway, trust: TrustPolicy?, lastSeen: Timestamp?) {
        self.bot = bot
        self.gateway = gateway
        self.trust = trust
        self.lastSeen = lastSeen
    }

    public var fields: [String: JSONValue] {
        [
            "id": .string(bot.id.bot.text),
            "name": .string(bot.name),
            "emoji": JSONValue(bot.emoji),
            "gateway": .string(gateway.id.description),
            "gatewayName": .string(gateway.name),
            "state": .string(bot.state.rawValue),
            "isPaired": .bool(bot.isPaired),
            "trust": JSONValue(trust?.word),
            "path": JSONValue(gateway.paths.first?.endpoint.description),
            "latencyMs": JSONValue(milliseconds: gateway.roundTrip),
            "lastSeen": JSONValue(lastSeen?.description),
        ]
    }
}
