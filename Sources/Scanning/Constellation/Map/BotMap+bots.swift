internal import DNSSD

extension BotMap {
    /// Records that a bot is paired.
    mutating func paired(_ bot: PairedBot) {
        update(bot.id) { $0.pair(bot) ? nil : .paired }
        // Only a bot that was taken in counts.
        guard let marks = bot.marks, records[bot.id].pairing == bot else { return }
        mark(bot.id.gateway, marks)
    }

    /// Records that a bot is no longer paired, whatever its state was.
    mutating func unpaired(_ key: BotKey) {
        update(key) { record in
            record = BotRecord()
            return nil
        }
        if !isPaired(key.gateway) { mark(key.gateway, nil) }
    }

    /// Records that pairing or a connection has reached another state.
    mutating func become(_ state: BotState, _ key: BotKey) {
        update(key) { $0.become(state) ? nil : state }
    }

    /// Changes the record of one bot.
    ///
    /// - Parameter change: A closure that changes the record, or returns the state that was refused.
    private mutating func update(_ key: BotKey, _ change: (inout BotRecord) -> BotState?) {
        let before = records[key]
        var record = before
        if let refused = change(&record) {
            return news.report(.refusedTransition(key, from: before.state, to: refused))
        }
        guard record != before else { return }
        if case .claimant = key.gateway.form { return news.report(.unprovedClaimant(key)) }
        guard records.set(record, of: key, limit: limits.pairings) else {
            return news.report(.tooManyPairings(key, limit: limits.pairings))
        }
        touchRow(of: key.gateway)
    }

    /// Marks the row that shows the bots of a gateway for refreshing. A paired gateway gets a row even while it is not
    /// present.
    private mutating func touchRow(of id: GatewayID) {
        if let row = rows.known(id) {
            touch(row)
        } else if isPaired(id) {
            let row = rows.insert(id)
            rows[row].history.begin(in: sequence)
            touch(row)
            // The candidate after which the row is named belongs to it from now on.
            if case .candidate(let key) = id.form, let candidate = candidates.known(key) { touch(candidate) }
        }
    }

    /// Returns the place of the pairing with a gateway that may be at others, too; `nil` for all others.
    func placeOfPairing(_ id: GatewayID) -> Endpoint? { records.placeOfPairing(id) }

    /// Indicates whether any bot of a gateway is paired.
    func isPaired(_ id: GatewayID) -> Bool { records.isPaired(id) }
}
