internal import DNSSD
internal import GatewayProtocol

/// The host names by which the user named endpoints. Behind a front each may lead to a gateway of its own, while what is
/// advertised has none.
extension BotMap {
    /// Returns the rows of the endpoints that differ from an endpoint in the host name alone, or from another one to which
    /// one of its services leads: those lead to the named place as well.
    func rows(namedOtherwiseThan endpoint: Endpoint) -> [GatewayID] {
        guard !named.isEmpty else { return [] }
        var leading = endpoints[endpoint].candidates
        if endpoint.serverName != nil, let unnamed = endpoints.known(endpoint.unnamed) {
            leading += endpoints[unnamed].candidates
        }
        let places = leading.flatMap { candidates[$0].endpoints }.map { $0.unnamed } + [endpoint.unnamed]
        return Set(places).sorted().flatMap { other -> [Endpoint] in
            let names = named[other] ?? []
            guard endpoint.serverName != nil || !names.isEmpty else { return [] }
            return names.union([other]).subtracting([endpoint]).sorted()
        }
        .compactMap { endpoints.known($0) }.compactMap { endpoints[$0].row }
    }

    /// Indicates whether services lead to an endpoint without a name and the user has named a member of a row, or the other
    /// way round, and there is no second name with which the first could be confused.
    ///
    /// - Parameter leaf: The leaf that both show, at whatever address.
    func isNamed(
        _ endpoint: Endpoint,
        or row: GatewayID,
        showing leaf: LeafFingerprint? = nil
    ) -> Bool {
        func alike(in row: GatewayID) -> [Endpoint] {
            rows[row].members.filter { $0.hasPortAndPath(of: endpoint) }
        }
        func names(of members: [Endpoint]) -> Set<ServerName> {
            let typed = members.flatMap { named[$0.unnamed] ?? [] }
            return Set((members + typed).compactMap(\.serverName))
        }
        let mine = alike(in: row)
        guard !mine.isEmpty else { return false }
        let own = names(of: mine + [endpoint])
            .union([marks[row]?.naming(endpoint.unnamed).serverName].compactMap(\.self))
        // A front may show its leaf at thousands of ports, each of them a row.
        guard own.count == 1 else { return false }
        let others = (leaf.flatMap { leaves[$0] } ?? [row]).flatMap(alike)
        let alike = others + [endpoint]
        guard own.union(names(of: alike)).count == 1 else { return false }
        return others.contains { endpoints[$0].row == row }
            && alike.allSatisfy { member in
                member.serverName != nil
                    || endpoints[member].candidates.contains { !candidates[$0].isManual }
            }
    }
}
