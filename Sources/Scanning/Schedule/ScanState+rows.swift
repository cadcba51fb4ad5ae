internal import Constellation
internal import DNSSD

/// The map's view of the endpoints: which of them are one gateway, and which of them decides its liveness.
extension ScanState {
    /// Takes in the changes of the map.
    mutating func learn(_ changes: [BotMapChange], now: ContinuousClock.Instant) {
        for change in changes {
            switch change {
            case .found(let row), .changed(let row, _): learn(row, now: now)
            case .lost(let row, _): gatewayRows.remove(row.id)
            case .problem: break
            }
        }
    }

    private mutating func learn(_ row: Gateway, now: ContinuousClock.Instant) {
        let members = row.paths.filter { $0.outcome?.identity != nil }
        guard !members.isEmpty else {
            gatewayRows.remove(row.id)
            return
        }
        gatewayRows.insert(row.id)
        let primary = members.first { !$0.contradicts && $0.liveness?.isAlive == true }?.endpoint
        // Also for an endpoint that is not asked because of a session.
        for path in row.paths where endpoints[path.endpoint] != nil {
            endpoints[path.endpoint]?.row.siblings =
                row.paths.count == 1 ? [] : members.map(\.endpoint).filter { $0 != path.endpoint }
        }
        for member in members where endpoints[member.endpoint]?.answer != nil {
            let isPrimary = primary == nil || member.endpoint == primary
            let wasPrimary = endpoints[member.endpoint]?.row.isPrimary == true
            guard isPrimary != wasPrimary else { continue }
            endpoints[member.endpoint]?.row.isPrimary = isPrimary
            guard configuration.watches, endpoints[member.endpoint]?.tracker.liveness?.isAlive == true else { continue }
            if isPrimary {
                let time = now + pace
                ask(member.endpoint, at: min(time, endpoints[member.endpoint]?.turn.time ?? time))
            } else if endpoints[member.endpoint]?.holding.isHeld == true,
                endpoints[member.endpoint]?.question.open == nil
            {
                releaseHeldConnection(member.endpoint)
            }
        }
    }
}
