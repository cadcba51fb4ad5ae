internal import GRDB
internal import GatewayProtocol

/// The copy of this device, or its move, to another one, and what comes from there.
extension PairingStore {
    /// Returns what is taken to another device. Pairings whose names the user has changed go under the names that they
    /// were stored with, and the other names with them.
    package func deviceFile(_ kind: DeviceFile.Kind, at time: Int) throws(StoreError) -> DeviceFile {
        let (device, key) = (device, try key())
        let (parts, aliases) = try database.read { (try PairingParts.fetchAll($0), try AliasRow.fetchAll($0)) }
        var pairings: [CarriedPairing] = []
        for parts in parts {
            guard let pairing = parts.live else { continue }
            var secrets: [CredentialID: Secret] = [:]
            for row in parts.credentials where row.bin == nil {
                secrets[row.credential.id] = try Self.open(row, parts.destination, key)
            }
            let carried = CarriedPairing(pairing, secrets: secrets)
            pairings.append(kind == .move ? carried : carried.forAnotherDevice)
        }
        let identity = try kind == .move ? device.carried() : nil
        return DeviceFile(
            deviceName: device.name,
            time: time,
            identity: identity,
            pairings: pairings,
            aliases: aliases,
            vault: try vaultKey()
        )
    }

    /// Says what a file would bring.
    package func plan(_ file: DeviceFile) throws(StoreError) -> DeviceImport {
        DeviceImport(file, live: try pairings(), bin: try bin())
    }

    /// Takes in what a file brings, all pairings or none. The identity comes first: whatever is lacking after a crash comes
    /// when the file is imported once more.
    ///
    /// - Throws: `invalid` for another identity where tokens are bound to the present one.
    package func take(_ plan: DeviceImport, at time: Int) throws(StoreError) {
        if let identity = plan.file.identity {
            guard plan.bound.isEmpty else {
                throw StoreError(
                    .invalid,
                    expected: "a device without pairings that are bound to its identity",
                    found: "\(plan.bound.count) of them. Unpair or forget these first, or have a copy instead of a move"
                )
            }
            try adopt(identity)
        }
        if let vault = plan.file.vault, try vaultKey() == nil { try keepVaultKey(vault) }
        let key = try key()
        try database.write { db in
            for item in plan.items where item.comes {
                let isTaken = plan.taken.contains(item.carried.pairing.id)
                try Self.insert(isTaken ? item.carried.renumbered : item.carried, key, db)
                if case .replaces(let id) = item.verdict { try Self.moveToBin(id, reason: .forgotten, at: time, db) }
            }
            try Self.settleBin(db)
        }
        watch.notifyReaders()
        for alias in plan.file.aliases where try !aliases().contains(where: { $0.isForSameGateway(as: alias) }) {
            do throws(StoreError) {
                try setAlias(alias)
            } catch  where error.code == .exists || error.code == .invalid {
                // Another gateway has that name here, or there is no room for one more.
                continue
            }
        }
    }

    /// Records that the identity of this device was taken to another one, or `nil` that it is this one's again.
    package func noteMoved(at time: Int?) throws(StoreError) {
        try database.write { try $0.execute(sql: "UPDATE device SET movedAt = ?", arguments: [time]) }
        watch.notifyReaders()
    }

    /// The time at which the identity of this device was taken to another one, in milliseconds since 1970; `nil` while it is
    /// this one's.
    package func movedAt() throws(StoreError) -> Int? { try database.read { try DeviceRow.movedAt($0) } }
}

extension StoreError {
    /// The error for a device whose identity is another one's now.
    static let moved = StoreError(
        .moved,
        expected: "the device that these pairings belong to",
        found: "one that was moved to another. If that one is gone: clawradar device restore"
    )
}
