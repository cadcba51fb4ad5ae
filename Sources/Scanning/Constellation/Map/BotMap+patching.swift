internal import DNSSD

/// The most frequent event of all: an endpoint still answers, with another round-trip time.
///
/// Liveness and round-trip time only affect the order of a row's further paths. Everything else stays as it is, and is
/// not even looked at: in a large map, each such look fetches from memory.
extension BotMap {
    /// Copies the liveness and round-trip time of a member into its row, if that changes nothing else.
    ///
    /// - Returns: `false` when it may change something else; then the row must be rebuilt.
    mutating func patchRow(of endpoint: Endpoint) -> Bool {
        guard let row = endpoints[endpoint].row, endpoints[endpoint].liveness == .answering,
            let aspects = rows[row].patch(endpoint, endpoints[endpoint].roundTrip)
        else { return false }
        if !aspects.isEmpty { news.report(.changed(rows[row].gateway, aspects.set)) }
        return true
    }
}

extension Row {
    /// Takes in that a member answers, and how fast: see ``BotMap/patchRow(of:)``.
    fileprivate mutating func patch(_ endpoint: Endpoint, _ roundTrip: Duration?) -> GatewayAspects? {
        // One that is rebuilt anyway would report two changes at once.
        guard isShown, !isDirty else { return nil }
        liveness = .answering
        guard let index = gateway.paths.index(of: endpoint) else { return nil }
        var path = gateway.paths[index]
        let aspects = path.update(.answering, roundTrip)
        guard !aspects.isEmpty else { return aspects }
        if index > 0, path.precedes(gateway.paths[index - 1]) { return nil }
        if index + 1 < gateway.paths.count, gateway.paths[index + 1].precedes(path) { return nil }
        gateway.paths[index] = path
        return aspects
    }
}
