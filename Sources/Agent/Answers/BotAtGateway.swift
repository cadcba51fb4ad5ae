package import Constellation
package import PairedFacts
package import PairingStore
package import Reports

/// A bot at its gateway, with the pairing if there is one.
package struct BotAtGateway: Hashable, Sendable {
    package let bot: Bot
    package let gateway: Gateway
    package let pairing: StoredPairing?

    /// The time at which its gateway was last seen, if that is known.
    package let lastSeen: Timestamp?

    package init(bot: Bot, gateway: Gateway, pairing: StoredPairing?, lastSeen: Timestamp?) {
        self.bot = bot
        self.gateway = gateway
        self.pairing = pairing
        self.lastSeen = lastSeen
    }

    package var report: BotAtGatewayReport {
        BotAtGatewayReport(bot, at: gateway, trust: bot.isPaired ? pairing?.trust.word : nil, lastSeen: lastSeen)
    }

    /// Returns the bots of some rows, except for archived ones.
    package static func all(in rows: [Gateway], _ paired: PairedGateways, now: Timestamp) -> [BotAtGateway] {
        rows.flatMap { row -> [BotAtGateway] in
            let pairing = paired.pairing(of: row)
            let archived = Set(pairing?.bots.filter(\.isArchived).map(\.id) ?? [])
            let connected = pairing?.lastConnected.map { Timestamp(milliseconds: $0) }
            return row.bots.filter { !archived.contains($0.id.bot) }.map { bot in
                BotAtGateway(
                    bot: bot,
                    gateway: row,
                    pairing: pairing,
                    lastSeen: row.liveness == .answering ? now : connected
                )
            }
        }
    }
}
