internal import DNSSD
internal import GatewayProtocol

/// The records of the bots of all gateways: what pairings and connections have reported of them. A value.
struct BotRecords: Sendable {
    private(set) var all: [GatewayID: [BotID: BotRecord]] = [:]

    /// The number of records.
    private(set) var count = 0

    init() {}

    var isEmpty: Bool { all.isEmpty }

    /// The records of one gateway; `nil` if there are none.
    subscript(gateway: GatewayID) -> [BotID: BotRecord]? { all[gateway] }

    /// The record of one bot; a blank one if nothing is known of it.
    subscript(bot: BotKey) -> BotRecord { all[bot.gateway]?[bot.bot] ?? BotRecord() }

    /// Replaces the record of one bot. A blank one takes no room.
    ///
    /// - Parameter limit: The maximum number of records.
    /// - Returns: `false` if there is no room for one more.
    mutating func set(_ record: BotRecord, of bot: BotKey, limit: Int) -> Bool {
        let isKnown = all[bot.gateway]?[bot.bot] != nil
        guard isKnown || record.isBlank || count < limit else { return false }
        if record.isBlank {
            all[bot.gateway]?[bot.bot] = nil
            if all[bot.gateway]?.isEmpty == true { all[bot.gateway] = nil }
        } else {
            all[bot.gateway, default: [:]][bot.bot] = record
        }
        if isKnown == record.isBlank { count += isKnown ? -1 : 1 }
        return true
    }

    /// Indicates whether any bot of a gateway is paired.
    func isPaired(_ gateway: GatewayID) -> Bool {
        guard !all.isEmpty else { return false }
        return all[gateway]?.values.contains { $0.pairing != nil } == true
    }

    /// Returns the place of the pairing with a gateway that may be at others, too; `nil` for all others.
    func placeOfPairing(_ gateway: GatewayID) -> Endpoint? { first(of: gateway) { $0.place } }

    /// Returns the name that a gateway had when it was paired.
    func nameAtPairing(_ gateway: GatewayID) -> String? { first(of: gateway) { $0.gatewayName } }

    /// Returns a part of the first pairing with a gateway, by the bots' identifiers, that has one.
    private func first<Part>(of gateway: GatewayID, _ part: (PairedBot) -> Part?) -> Part? {
        guard !all.isEmpty, let known = all[gateway] else { return nil }
        var first: (bot: BotID, part: Part)?
        for (bot, record) in known {
            guard let pairing = record.pairing, let part = part(pairing) else { continue }
            if let first, first.bot < bot { continue }
            first = (bot, part)
        }
        return first?.part
    }
}
