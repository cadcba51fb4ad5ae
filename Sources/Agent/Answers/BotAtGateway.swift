package import Pairing
package import Reports
package import Scanning

/// A bot at its gateway, with the pairing if there is one.
package struct BotAtGateway: Hashable, Sendable {
    package let bot: Bot
    package let gateway: Gateway
    package let pairing: StoredPairing?

    /// The time at which its gateway was last seen, if that is known.
    package let lastSeen: Timestamp?

    package var report: BotAtGatewayReport {
        BotAtGatewayReport(
            bot,
            at: gateway,
            state: state,
            trust: bot.isPaired ? pairing?.trust.word : nil,
            remoteURL: bot.isPaired ? pairing?.remoteURL : nil,
            lastSeen: lastSeen
        )
    }

    /// The state of the bot as every view shows it: while no session is sought, that of its gateway counts.
    package var state: BotState {
        guard bot.isPaired, bot.state == .paired else { return bot.state }
        return BotState(rawValue: PairedState(gateway, bot: bot.state).rawValue) ?? bot.state
    }

    /// Returns the bots of some rows, except for archived ones.
    ///
    /// - Parameter outages: The beginnings of the outages of gateways, by their pairings: they were seen until then.
    package static func all(
        in rows: [Gateway],
        _ paired: PairedGateways,
        now: Timestamp,
        outages: [PairingID: Timestamp] = [:]
    ) -> [BotAtGateway] {
        rows.flatMap { row -> [BotAtGateway] in
            let pairing = paired.pairing(of: row)
            let archived = Set(pairing?.bots.filter(\.isArchived).map(\.id) ?? [])
            let connected = pairing?.lastConnected.map { Timestamp(milliseconds: $0) }
            let outage = pairing.flatMap { outages[$0.id] }
            return row.bots.filter { !archived.contains($0.id.bot) }.map { bot in
                BotAtGateway(
                    bot: bot,
                    gateway: row,
                    pairing: pairing,
                    lastSeen: row.liveness == .answering ? now : [connected, outage].compactMap(\.self).max()
                )
            }
        }
    }
}
