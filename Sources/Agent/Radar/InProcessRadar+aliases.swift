package import GatewayProtocol
package import Pairing
package import Reports
internal import Scanning

/// The names that the user has given to gateways.
extension InProcessRadar {
    /// Returns all of them.
    package func aliases() async throws(RadarError) -> [GatewayAlias] {
        try await read { store throws(StoreError) in try store.aliases() }
    }

    package func alias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport {
        try await write { store throws(StoreError) in try store.setAlias(alias) }
        return AliasesReport([alias])
    }

    package func removeAlias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport {
        try await write { store throws(StoreError) in try store.removeAlias(alias) }
        return AliasesReport([alias])
    }

    /// Returns the alias that a gateway has.
    ///
    /// - Parameter gateway: The identifier that it has in the list of aliases.
    package func alias(of gateway: String) async throws(RadarError) -> GatewayAlias {
        guard let alias = try await aliases().first(where: { $0.gatewayID == gateway }) else {
            throw RadarError(.notFound, "this gateway has no name from the user")
        }
        return alias
    }

    /// Returns the alias that a gateway gets: one that has an alias, is paired, or is there.
    ///
    /// - Parameters:
    ///   - gateway: The identifier of its row.
    ///   - name: The name.
    package func newAlias(of gateway: String, _ name: String) async throws(RadarError) -> GatewayAlias {
        if let known = try await aliases().first(where: { $0.gatewayID == gateway }) { return known.renamed(name) }
        if let pairing = try await pairings().first(where: { $0.gatewayID == gateway }) {
            return GatewayAlias(pairing, name: name)
        }
        guard let row = await constellation?.snapshot.gateways.first(where: { $0.id.description == gateway }) else {
            throw RadarError(.notFound, "there is no such gateway")
        }
        guard let alias = GatewayAlias(row, name: name) else {
            throw RadarError(.conflict, "the gateway has not answered, or is not as it was at pairing")
        }
        return alias
    }
}

extension GatewayAlias {
    /// Creates the alias of a paired gateway.
    package init(_ pairing: StoredPairing, name: String) {
        var leaf: LeafFingerprint?
        if case .pinned(let pin) = pairing.trust { leaf = pin }
        self.init(gatewayID: pairing.gatewayID, fingerprint: pairing.fingerprint, leaf: leaf, name: name)
    }

    /// Returns the same gateway with another name.
    package func renamed(_ name: String) -> GatewayAlias {
        GatewayAlias(gatewayID: gatewayID, fingerprint: fingerprint, leaf: leaf, name: name)
    }
}
