internal import DNSSD
internal import GatewayProtocol
internal import Trust

/// The succession of one gateway by another one at the same endpoint.
///
/// A gateway has several addresses, and when it comes back as another one, these do not show it all at once. Until the
/// others have been asked, it is unknown whether the old row has ended, and the new one is not shown beside it.
extension BotMap {
    /// Records that an endpoint of a row has answered as another gateway.
    mutating func succeed(_ row: Slot<Row>, at endpoint: Slot<EndpointFacts>) {
        guard asksRepeatedly, let successor = endpoints[endpoint].row, successor != row else { return }
        let key = rows[successor].key
        // A copy, since it asks the rows which of them exist while it changes.
        var succession = rows[row].succession
        succession.add(key, limit: limits.candidatesPerEndpoint) { rows.slot(of: $0) != nil }
        rows[row].succession = succession
        rows[successor].succession.replacedFingerprint = rows[row].fingerprint
        guard !rows[successor].isShown, rows[row].isShown, rows[successor].succession.predecessor == nil else { return }
        // The marks of a paired gateway tell it from what takes its place. Its row shows that at once: it may not be asked
        // for as long as a session with it lives.
        guard marks[rows[row].key] == nil else { return }
        rows[successor].succession.predecessor = rows[row].key
    }

    /// Returns the rows that a gateway may have replaced when it answers at an endpoint that was not known before: the
    /// rows to which the services that lead there belong, if such a service began to claim the gateway's fingerprint
    /// after that row last answered, or if both are at one port of one machine.
    ///
    /// Returns none if another candidate that belongs to none of these rows leads there too: the others may be made up.
    func replacedRows(by endpoint: Slot<EndpointFacts>, _ identity: GatewayIdentity) -> [Slot<Row>] {
        let owner = endpoints[endpoint].row
        guard !endpoints[endpoint].candidates.contains(where: { homes[candidates[$0].key] == owner }) else { return [] }
        return endpoints[endpoint].candidates.compactMap { candidate in
            guard let home = homes[candidates[candidate].key], home != owner, rows[home].isShown,
                rows[home].fingerprint != identity.fingerprint
            else { return nil }
            let isClaimed =
                identity.fingerprint != nil && candidates[candidate].fingerprint == identity.fingerprint
                && rows[home].history.answeredAt < candidates[candidate].claimedAt
            return isClaimed || isAtSamePort(of: home, as: endpoint) ? home : nil
        }
    }

    private func isAtSamePort(of row: Slot<Row>, as endpoint: Slot<EndpointFacts>) -> Bool {
        guard let machine = endpoints[endpoint].machine else { return false }
        return rows[row].members.contains {
            endpoints[$0].machine == machine && endpoints[$0].key.port == endpoints[endpoint].key.port
        }
    }

    /// Returns the rows that have taken over endpoints of a row. As those endpoints were one gateway before, they are
    /// one again if their answers agree.
    func successors(of row: Slot<Row>?) -> [Slot<Row>] {
        guard let row else { return [] }
        return rows[row].succession.successors.compactMap { rows.slot(of: $0) }.filter { !rows[$0].members.isEmpty }
    }

    /// Indicates whether a row that is not shown yet waits for its predecessor either to end or to answer as well.
    func waits(_ row: Slot<Row>) -> Bool {
        guard let key = rows[row].succession.predecessor, let predecessor = rows.slot(of: key),
            rows[predecessor].isShown
        else {
            return false
        }
        // A predecessor that has answered since is a different gateway.
        return rows[predecessor].history.answeredAt < rows[row].history.bornAt && isAlive(predecessor)
    }

    /// Indicates whether a successor waits for this row to end or to answer: until then, this row stays as it is shown.
    func isAwaitedBySuccessor(_ row: Slot<Row>) -> Bool {
        rows[row].succession.successors.contains { key in
            guard let successor = rows.slot(of: key), rows[successor].succession.predecessor == rows[row].key else {
                return false
            }
            return !rows[successor].isShown && waits(successor)
        }
    }

    /// Releases the rows that have waited for another one, so that they can be shown.
    mutating func releaseSuccessors(of row: Slot<Row>) {
        for key in rows[row].succession.successors {
            guard let successor = rows.slot(of: key), rows[successor].succession.predecessor == rows[row].key else {
                continue
            }
            rows[successor].succession.predecessor = nil
            touch(successor)
            touch(row)
        }
    }
}
