internal import DNSSD

/// One gateway where another one was.
///
/// A gateway has several addresses, and when it comes back as another one, they do not tell so all at once. Until the others
/// have been asked, the old row is not known to have ended, and the new one is not shown beside it.
extension BotMap {
    /// Notes that an endpoint of a row has answered as another gateway.
    mutating func succeed(_ row: Slot<Row>, at endpoint: Slot<EndpointFacts>) {
        guard awaitsNews, let successor = endpoints[endpoint].row, successor != row else { return }
        let key = rows[successor].key
        if !rows[row].successors.contains(key) {
            let known = rows[row].successors.filter { rows.slot(of: $0) != nil }
            rows[row].successors = known.suffix(limits.candidatesPerEndpoint - 1) + [key]
        }
        rows[successor].replacedFingerprint = rows[row].fingerprint
        guard !rows[successor].isShown, rows[row].isShown, rows[successor].predecessor == nil else { return }
        rows[successor].predecessor = rows[row].key
    }

    /// The rows whose place a gateway may have taken that answers at an address at which nothing was known: those to which the
    /// services that lead there belong, where such a service has come to claim this gateway's fingerprint since that row
    /// answered, or where both are at one port of one machine.
    ///
    /// None where something else leads to it as well, that belongs to none of them: others may be made up.
    func replacedRows(by endpoint: Slot<EndpointFacts>, _ identity: GatewayIdentity) -> [Slot<Row>] {
        let owner = endpoints[endpoint].row
        guard !endpoints[endpoint].candidates.contains(where: { homes[candidates[$0].key] == owner }) else { return [] }
        return endpoints[endpoint].candidates.compactMap { candidate in
            guard let home = homes[candidates[candidate].key], home != owner, rows[home].isShown,
                rows[home].fingerprint != identity.fingerprint
            else { return nil }
            let isClaimed =
                identity.fingerprint != nil && candidates[candidate].fingerprint == identity.fingerprint
                && rows[home].answeredAt < candidates[candidate].claimedAt
            return isClaimed || isAtSamePort(of: home, as: endpoint) ? home : nil
        }
    }

    private func isAtSamePort(of row: Slot<Row>, as endpoint: Slot<EndpointFacts>) -> Bool {
        guard let machine = endpoints[endpoint].machine else { return false }
        return rows[row].members.contains {
            endpoints[$0].machine == machine && endpoints[$0].key.port == endpoints[endpoint].key.port
        }
    }

    /// The rows of those that are where members of a row were: what all of them answer together is one gateway, as they were.
    func successors(of row: Slot<Row>?) -> [Slot<Row>] {
        guard let row else { return [] }
        return rows[row].successors.compactMap { rows.slot(of: $0) }.filter { !rows[$0].members.isEmpty }
    }

    /// Indicates whether a row that is not shown yet waits for the end of the one before it, or for word that there are
    /// both.
    func waits(_ row: Slot<Row>) -> Bool {
        guard let key = rows[row].predecessor, let predecessor = rows.slot(of: key), rows[predecessor].isShown else {
            return false
        }
        // Who has answered since is another one.
        return rows[predecessor].answeredAt < rows[row].bornAt && isAlive(predecessor)
    }

    /// Indicates whether a row waits for the end of this one, or for word of it: until then this stays as it is shown.
    func isAwaitedBySuccessor(_ row: Slot<Row>) -> Bool {
        rows[row].successors.contains { key in
            guard let successor = rows.slot(of: key), rows[successor].predecessor == rows[row].key else { return false }
            return !rows[successor].isShown && waits(successor)
        }
    }

    /// Has the rows shown that have waited for news of another one, if they need not any more.
    mutating func releaseSuccessors(of row: Slot<Row>) {
        for key in rows[row].successors {
            guard let successor = rows.slot(of: key), rows[successor].predecessor == rows[row].key else { continue }
            rows[successor].predecessor = nil
            touch(successor)
            touch(row)
        }
    }
}
