internal import GatewayProtocol

extension BotMap {
    /// A bot is paired.
    mutating func paired(_ bot: PairedBot) {
        update(bot.id) { $0.pair(bot) ? nil : .paired }
    }

    /// A bot is not paired any more, whatever its state was.
    mutating func unpaired(_ key: BotKey) {
        update(key) { record in
            record = BotRecord()
            return nil
        }
    }

    /// Pairing or a connection has come to another state.
    mutating func become(_ state: BotState, _ key: BotKey) {
        update(key) { $0.become(state) ? nil : state }
    }

    /// Changes what is known of one bot.
    ///
    /// - Parameter change: Returns the state that was refused.
    private mutating func update(_ key: BotKey, _ change: (inout BotRecord) -> BotState?) {
        let before = records[key.gateway]?[key.bot]
        var record = before ?? BotRecord()
        if let refused = change(&record) {
            let from = before?.state ?? .discovered
            changes.append(.problem(.refusedTransition(key, from: from, to: refused)))
            return
        }
        guard record != before ?? BotRecord() else { return }
        if case .claimant = key.gateway {
            changes.append(.problem(.unprovedClaimant(key)))
            return
        }
        if before == nil {
            guard recordCount < limits.pairings else {
                changes.append(.problem(.tooManyPairings(key, limit: limits.pairings)))
                return
            }
            recordCount += 1
        }
        if record.isBlank {
            recordCount -= 1
            records[key.gateway]?[key.bot] = nil
            if records[key.gateway]?.isEmpty == true { records[key.gateway] = nil }
        } else {
            records[key.gateway, default: [:]][key.bot] = record
        }
        touchRow(of: key.gateway)
    }

    /// Has the row looked at again that shows the bots of a gateway; what is paired has one, also when it is not here.
    private mutating func touchRow(of id: GatewayID) {
        if let row = rows.slot(of: id) {
            touch(row)
        } else if isPaired(id) {
            let row = rows.insert(Row(key: id))
            rows[row].bornAt = sequence
            touch(row)
            // A candidate of this name belongs to it from now on.
            if case .candidate(let key) = id, let candidate = candidates.slot(of: key) { touch(candidate) }
        }
    }

    /// Indicates whether any bot of a gateway is paired.
    func isPaired(_ id: GatewayID) -> Bool {
        guard !records.isEmpty else { return false }
        return records[id]?.values.contains { $0.pairing != nil } == true
    }
}
