internal import DNSSD
internal import GatewayProtocol
internal import Trust

/// The host names by which the user named endpoints. Behind a front each may lead to a gateway of its own, while what is
/// advertised has none.
extension BotMap {
    /// Returns the rows of the endpoints that differ from an endpoint in the host name alone.
    func rows(namedOtherwiseThan endpoint: Slot<EndpointFacts>) -> [Slot<Row>] {
        let place = endpoints[endpoint].key
        let names = named[place.unnamed] ?? []
        guard place.serverName != nil || !names.isEmpty else { return [] }
        return names.union([place.unnamed]).subtracting([place]).sorted()
            .compactMap { endpoints.slot(of: $0) }.compactMap { endpoints[$0].row }
    }

    /// Indicates whether services lead to an endpoint without a name and the user has named a member of a row, or the other
    /// way round, and there is no second name with which the first could be confused.
    ///
    /// - Parameter leaf: The leaf that both show, at whatever address.
    func isNamed(
        _ endpoint: Slot<EndpointFacts>,
        or row: Slot<Row>,
        showing leaf: LeafFingerprint? = nil
    ) -> Bool {
        let place = endpoints[endpoint].key
        let others = (leaf.flatMap { leaves[$0] } ?? [row]).flatMap { rows[$0].members }.filter { member in
            endpoints[member].key.port == place.port && endpoints[member].key.resource == place.resource
        }
        let alike = others + [endpoint]
        let names = Set(alike.compactMap { endpoints[$0].key.serverName })
            .union((named[place.unnamed] ?? []).compactMap(\.serverName))
            .union([marks[rows[row].key]?.naming(place.unnamed).serverName].compactMap(\.self))
        guard names.count == 1 else { return false }
        return others.contains { endpoints[$0].row == row }
            && alike.allSatisfy { member in
                endpoints[member].key.serverName != nil
                    || endpoints[member].candidates.contains { !candidates[$0].isManual }
            }
    }
}
