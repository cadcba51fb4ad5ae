internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// A bot as the table of all bots shows it; every text in it is cleaned.
struct BotTableRow: Hashable {
    /// The text for an unknown value.
    static let absent = "-"

    /// The cells, in the order of the columns.
    let cells: [String]

    /// The state of its paired gateway; `nil` if it is not paired.
    let state: PairedState?

    /// The state of the bot itself.
    let botState: BotState

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - path: The path to its gateway to show; `nil` without one.
    ///   - isHere: Indicates whether its gateway answers.
    init(
        name: String,
        emoji: String?,
        gateway: String,
        state: PairedState?,
        botState: BotState,
        trust: TrustPolicy?,
        path: String?,
        roundTrip: Duration?,
        isHere: Bool,
        lastSeen: Timestamp?
    ) {
        self.state = state
        self.botState = botState
        self.cells = [
            (emoji.map { "\(DisplayText($0, limit: 2)) " } ?? "") + DisplayText(name, limit: 64).text,
            DisplayText(gateway, limit: 64).text, state?.rawValue ?? botState.rawValue,
            trust.map(TrustText.text) ?? Self.absent, path ?? Self.absent,
            roundTrip.map(TimeText.milliseconds) ?? Self.absent,
            isHere ? "now" : lastSeen.map(TimeText.localDay) ?? Self.absent,
        ]
    }

    /// Makes the row of a bot at its gateway.
    init(_ placed: BotAtGateway) {
        let (bot, gateway) = (placed.bot, placed.gateway)
        self.init(
            name: bot.name,
            emoji: bot.emoji,
            gateway: gateway.name,
            state: bot.isPaired ? PairedState(gateway, bot: bot.state) : nil,
            botState: placed.state,
            trust: bot.isPaired ? placed.pairing?.trust : nil,
            path: gateway.shownPath.map { "\($0.endpoint)" },
            roundTrip: gateway.roundTrip,
            isHere: gateway.liveness == .answering,
            lastSeen: placed.lastSeen
        )
    }
}
