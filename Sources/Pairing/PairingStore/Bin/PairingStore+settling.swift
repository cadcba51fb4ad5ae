internal import DNSSD
internal import GRDB
package import GatewayProtocol

extension BinnedPairing {
    /// Returns the bots whose unpairing the gateway has still to be informed of; `nil` if there are none.
    ///
    /// When a gateway issues new tokens for a device and a bot, it revokes the earlier ones. Withdrawing the earlier
    /// ones after that would revoke those of the live pairing.
    ///
    /// - Parameter live: The live pairings.
    package func botsToWithdraw(beside live: [StoredPairing]) -> BotSelection? {
        guard reason == .unpaired(withdrawnThere: false) else { return nil }
        let own = pairing.credentials.flatMap(\.bots)
        let selection: BotSelection = isWhole || own.isEmpty ? .all : .some(own)
        return pairing.botsToWithdraw(selection, beside: live.flatMap { $0.credentials(reachedAs: pairing) })
    }
}

extension StoredPairing {
    /// Returns the bots of a selection that may be withdrawn at the gateway; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - selection: The bots that are given up.
    ///   - kept: The credentials of other pairings that are to stay valid: their bots are left out.
    package func botsToWithdraw(_ selection: BotSelection, beside kept: [StoredCredential]) -> BotSelection? {
        guard !kept.isEmpty else { return selection }
        guard !kept.contains(where: \.bots.isEmpty) else { return nil }
        let bots =
            switch selection {
            case .all: self.bots.map(\.id)
            case .some(let ids): ids
            }
        let others = Set(kept.flatMap(\.bots))
        let rest = bots.filter { !others.contains($0) }
        return rest.isEmpty ? nil : .some(rest)
    }

    /// Returns the credentials of this pairing that a message to the gateway of another one may end: of the same gateway
    /// only those that it has issued to the same identifier of this device.
    package func credentials(reachedAs other: StoredPairing) -> [StoredCredential] {
        guard mayBeReached(as: other) else { return [] }
        guard isSameGateway(as: other) else { return credentials }
        let devices = Set(other.credentials.map(\.deviceID))
        return credentials.filter { devices.contains($0.deviceID) }
    }

    /// Indicates whether another pairing is with the same gateway, as far as that is known.
    package func isSameGateway(as other: StoredPairing) -> Bool { terms.isSameGateway(as: other.terms) }

    /// Indicates whether a message to the gateway of another pairing may reach the gateway of this one.
    package func mayBeReached(as other: StoredPairing) -> Bool { terms.mayBeReached(as: other.terms) }
}

extension PairingStore {
    /// Deletes a pairing in the bin that was only there until the gateway was told: see
    /// ``insertForWithdrawal(_:secrets:at:)``. One that was restored meanwhile stays.
    package func removeWithdrawn(_ id: PairingID) throws(StoreError) {
        try database.write { db in
            try db.execute(
                sql: "DELETE FROM pairing WHERE id = ? AND binnedAt IS NOT NULL",
                arguments: [id.description]
            )
        }
        watch.notifyReaders()
    }

    /// Records that the gateway knows that something in the bin is unpaired. Anything that was restored meanwhile stays
    /// unchanged.
    package func noteWithdrawn(_ item: BinnedPairing) throws(StoreError) {
        let hasChanged = try database.write { try Self.noteWithdrawn(item, $0) }
        if hasChanged { watch.notifyReaders() }
    }

    /// Records everything in the bin as withdrawn for whose bots live pairings have new tokens of the same gateway.
    static func settleBin(_ db: Database) throws {
        // Mostly nothing waits, and reading all pairings for each that is added would take long where there are many.
        let waits = try ["pairing", "credential"].contains { table in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE binReason = 'unpaired')") ?? false
        }
        guard waits else { return }
        let parts = try PairingParts.fetchAll(db)
        let live = parts.compactMap(\.live)
        for item in parts.flatMap(\.binned)
        where item.reason == .unpaired(withdrawnThere: false) {
            // A live pairing that merely has the same address is no sign that this gateway knows.
            let same = live.filter { $0.isSameGateway(as: item.pairing) }
            if item.botsToWithdraw(beside: same) == nil { _ = try noteWithdrawn(item, db) }
        }
    }

    private static func noteWithdrawn(_ item: BinnedPairing, _ db: Database) throws -> Bool {
        // The values are those that BinRow writes. The rest of the row stays unchanged.
        let change = "SET binReason = 'withdrawn' WHERE id = ? AND binReason = 'unpaired'"
        if item.isWhole {
            try db.execute(sql: "UPDATE pairing \(change)", arguments: [item.pairing.id.description])
            return db.changesCount > 0
        }
        var count = 0
        for credential in item.pairing.credentials {
            try db.execute(sql: "UPDATE credential \(change)", arguments: [credential.id.description])
            count += db.changesCount
        }
        return count > 0
    }
}
