package import GatewayProtocol

/// The names that the user has given to gateways.
extension PairingStore {
    /// Returns all aliases, in the order in which they were given.
    package func aliases() throws(StoreError) -> [GatewayAlias] {
        try database.read { try AliasRow.fetchAll($0) }
    }

    /// Gives a gateway a name, in place of any that it has.
    ///
    /// - Throws: `exists` if another gateway has that name, and `invalid` if it is too
    ///   long or there are too many.
    package func setAlias(_ alias: GatewayAlias) throws(StoreError) {
        let name = alias.name.stored(StoreLimits.nameBytes)
        guard !name.isEmpty, alias.gatewayID.utf8.count <= StoreLimits.textBytes, !alias.gatewayID.utf8.contains(0)
        else {
            throw StoreError(.invalid, expected: "a name for a gateway", found: "none, or a gateway that is too long")
        }
        let stored = GatewayAlias(
            gatewayID: alias.gatewayID,
            fingerprint: alias.fingerprint,
            leaf: alias.leaf,
            name: name
        )
        try database.write { db in
            var all = try AliasRow.fetchAll(db)
            all.removeAll { $0.isForSameGateway(as: stored) }
            guard !all.contains(where: { $0.name == name }) else {
                throw StoreError(.exists, expected: "a name of its own", found: "that of another gateway")
            }
            guard all.count < StoreLimits.aliases else {
                throw StoreError.tooMany("aliases", all.count + 1, StoreLimits.aliases)
            }
            try AliasRow.replace(all + [stored], db)
        }
        watch.notifyReaders()
    }

    /// Removes an alias.
    package func removeAlias(_ alias: GatewayAlias) throws(StoreError) {
        try database.write { db in
            try AliasRow.replace(try AliasRow.fetchAll(db).filter { $0 != alias }, db)
        }
        watch.notifyReaders()
    }
}

extension [GatewayAlias] {
    /// Returns pairings under the names that the user has given to their gateways.
    func naming(_ pairings: [StoredPairing]) -> [StoredPairing] {
        guard !isEmpty else { return pairings }
        return pairings.map { pairing in
            guard
                let name = first(where: { $0.gatewayID == pairing.gatewayID })?.name
                    ?? first(where: { $0.isProved(by: pairing) })?.name
            else { return pairing }
            var named = pairing
            (named.name, named.formerName) = (name, pairing.name == name ? nil : pairing.name)
            return named
        }
    }
}

extension GatewayAlias {
    /// Indicates whether it was given to the gateway of a pairing under another identifier. A certificate alone may be that
    /// of a front.
    fileprivate func isProved(by pairing: StoredPairing) -> Bool {
        guard case .pinned(let pin) = pairing.trust, let fingerprint else { return false }
        return leaf == pin && fingerprint == pairing.fingerprint
    }
}
