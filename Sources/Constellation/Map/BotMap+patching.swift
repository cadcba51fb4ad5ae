internal import DNSSD

/// The most frequent event of all: an endpoint still answers, with another round-trip time.
///
/// Liveness and round-trip time only affect the order of a row's further paths. Everything else stays as it is, and is
/// not even looked at: in a large map, each such look fetches from memory.
extension BotMap {
    /// Copies the liveness and round-trip time of a member into its row, if that changes nothing else.
    ///
    /// - Returns: `false` when it may change something else; then the row must be rebuilt.
    mutating func patchRow(of endpoint: Slot<EndpointFacts>) -> Bool {
        // One that is rebuilt anyway would report two changes at once.
        guard let row = endpoints[endpoint].row, rows[row].isShown, !rows[row].isDirty else { return false }
        let liveness = endpoints[endpoint].liveness
        guard liveness == .answering else { return false }
        rows[row].liveness = .answering
        var index = 0
        if rows[row].gateway.paths.count != 1 {
            guard let known = rows[row].gateway.paths.index(of: endpoints[endpoint].key) else { return false }
            index = known
        } else if rows[row].gateway.paths[0].endpoint != endpoints[endpoint].key {
            return false
        }
        var path = rows[row].gateway.paths[index]
        let aspects = path.update(liveness, endpoints[endpoint].roundTrip)
        guard !aspects.isEmpty else { return true }
        let paths = rows[row].gateway.paths
        if index > 0, path.precedes(paths[index - 1]) { return false }
        if index + 1 < paths.count, paths[index + 1].precedes(path) { return false }
        rows[row].gateway.paths[index] = path
        news.report(.changed(rows[row].gateway, aspects.set))
        return true
    }
}
