internal import DNSSD
internal import GatewayProtocol

/// The succession of one gateway by another one at the same endpoint.
///
/// A gateway has several addresses, and when it comes back as another one, these do not show it all at once. Until the
/// others have been asked, it is unknown whether the old row has ended, and the new one is not shown beside it.
extension BotMap {
    /// Records that an endpoint of a row has answered as another gateway.
    mutating func succeed(_ row: GatewayID, at endpoint: Endpoint) {
        guard asksRepeatedly, let successor = endpoints[endpoint].row, successor != row else { return }
        rows[successor].succession.replacedFingerprint = rows[row].fingerprint
        // It may have been joined with another one by then.
        guard rows.known(row) != nil else { return }
        var succession = rows[row].succession
        succession.add(successor, limit: limits.candidatesPerEndpoint) { rows.known($0) != nil }
        rows[row].succession = succession
        guard !rows[successor].isShown, rows[row].isShown, rows[successor].succession.predecessor == nil else { return }
        // The marks of a paired gateway tell it from what takes its place. Its row shows that at once: it may not be asked
        // for as long as a session with it lives.
        guard marks[row] == nil else { return }
        rows[successor].succession.predecessor = row
    }

    /// Returns the rows that a gateway may have replaced when it answers at an endpoint that was not known before: the
    /// rows to which the services that lead there belong, if such a service began to claim the gateway's fingerprint
    /// after that row last answered, or if both are at one port of one machine.
    ///
    /// Returns none if another candidate that belongs to none of these rows leads there too: the others may be made up.
    func replacedRows(by endpoint: Endpoint, _ identity: GatewayIdentity) -> [GatewayID] {
        let owner = endpoints[endpoint].row
        guard !endpoints[endpoint].candidates.contains(where: { homes[$0] == owner }) else { return [] }
        return endpoints[endpoint].candidates.compactMap { candidate in
            guard let home = homes[candidate], home != owner, rows[home].isShown,
                rows[home].fingerprint != identity.fingerprint
            else { return nil }
            let isClaimed =
                identity.fingerprint != nil && candidates[candidate].fingerprint == identity.fingerprint
                && rows[home].history.answeredAt < candidates[candidate].claimedAt
            return isClaimed || isAtSamePort(of: home, as: endpoint) ? home : nil
        }
    }

    private func isAtSamePort(of row: GatewayID, as endpoint: Endpoint) -> Bool {
        guard let machine = endpoints[endpoint].machine else { return false }
        return rows[row].members.contains {
            endpoints[$0].machine == machine && $0.port == endpoint.port
        }
    }

    /// Returns the rows that have taken over endpoints of a row. As those endpoints were one gateway before, they are
    /// one again if their answers agree.
    func successors(of row: GatewayID?) -> [GatewayID] {
        guard let row else { return [] }
        return rows[row].succession.successors.compactMap { rows.known($0) }.filter { !rows[$0].members.isEmpty }
    }

    /// Indicates whether a row that is not shown yet waits for its predecessor either to end or to answer as well.
    func waits(_ row: GatewayID) -> Bool {
        guard let key = rows[row].succession.predecessor, let predecessor = rows.known(key),
            rows[predecessor].isShown
        else {
            return false
        }
        // A predecessor that has answered since is a different gateway.
        return rows[predecessor].history.answeredAt < rows[row].history.bornAt && isAlive(predecessor)
    }

    /// Indicates whether a successor waits for this row to end or to answer: until then, this row stays as it is shown.
    func isAwaitedBySuccessor(_ row: GatewayID) -> Bool {
        rows[row].succession.successors.contains { key in
            guard let successor = rows.known(key), rows[successor].succession.predecessor == row else {
                return false
            }
            return !rows[successor].isShown && waits(successor)
        }
    }

    /// Releases the rows that have waited for another one, so that they can be shown.
    mutating func releaseSuccessors(of row: GatewayID) {
        for key in rows[row].succession.successors {
            guard let successor = rows.known(key), rows[successor].succession.predecessor == row else {
                continue
            }
            rows[successor].succession.predecessor = nil
            touch(successor)
            touch(row)
        }
    }
}
