internal import GRDB
public import GatewayProtocol

extension BinnedPairing {
    /// The bots that the gateway is still to be told of, as being unpaired; `nil` where there are none.
    ///
    /// A gateway ends the tokens that it gave for a device and a bot when it gives new ones. To withdraw the old ones then would end
    /// those of the live pairing.
    ///
    /// - Parameter live: The live pairings.
    public func botsToWithdraw(beside live: [StoredPairing]) -> BotSelection? {
        guard reason == .unpaired(withdrawnThere: false) else { return nil }
        let own = pairing.credentials.flatMap(\.bots)
        let selection: BotSelection = isWhole || own.isEmpty ? .all : .some(own)
        return pairing.botsToWithdraw(
            selection,
            beside: live.filter { $0.mayBeReached(as: pairing) }.flatMap(\.credentials)
        )
    }
}

extension StoredPairing {
    /// The bots of a selection that the gateway may be told of as being given up; `nil` where there are none.
    ///
    /// - Parameters:
    ///   - selection: The bots that are given up.
    ///   - kept: The credentials of other pairings that are to go on: their bots are left out.
    public func botsToWithdraw(_ selection: BotSelection, beside kept: [StoredCredential]) -> BotSelection? {
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

    /// Indicates whether another pairing is with the same gateway, as far as that can be told: by the certificate, or by what
    /// both name. A name without TLS says nothing about one that was proved.
    public func isSameGateway(as other: StoredPairing) -> Bool {
        guard dialect == other.dialect else { return false }
        switch (trust, other.trust) {
        case (.pinned(let leaf), .pinned(let otherLeaf)): return leaf == otherLeaf
        case (.certified(let host), .certified(let otherHost)): return host == otherHost
        case (.pinned, _), (.certified, _), (.sameAddress, _), (.lan, _):
            return trust.isPlain == other.trust.isPlain && fingerprint != nil && fingerprint == other.fingerprint
        }
    }

    /// Indicates whether what is said to the gateway of another pairing, by the proof of that one, may reach this one's.
    public func mayBeReached(as other: StoredPairing) -> Bool {
        guard dialect == other.dialect else { return false }
        switch (trust, other.trust) {
        // Many share the addresses of a tunnel.
        case (.pinned, .pinned), (.certified, .certified): return isSameGateway(as: other)
        case (.pinned, _), (.certified, _), (.sameAddress, _), (.lan, _): break
        }
        // Without TLS nothing tells whom it reaches, so all that may be it counts.
        if let fingerprint, fingerprint == other.fingerprint { return true }
        return endpoints.contains { other.endpoints.contains($0) }
    }
}

extension PairingStore {
    /// Notes that the gateway knows that something in the bin is unpaired. What was taken out of it meanwhile stays as it is.
    public func noteWithdrawn(_ item: BinnedPairing) throws(StoreError) {
        let hasChanged = try database.write { try Self.noteWithdrawn(item, $0) }
        if hasChanged { watch.notifyReaders() }
    }

    /// Notes of all in the bin that it is withdrawn, where live pairings have the gateway's new tokens for its bots.
    static func settleBin(_ db: Database) throws {
        let parts = try PairingParts.fetchAll(db)
        let live = parts.compactMap(\.live)
        for item in parts.flatMap(\.binned)
        where item.reason == .unpaired(withdrawnThere: false) {
            // Whoever merely has its address now has not told it anything.
            let same = live.filter { $0.isSameGateway(as: item.pairing) }
            if item.botsToWithdraw(beside: same) == nil { _ = try noteWithdrawn(item, db) }
        }
    }

    private static func noteWithdrawn(_ item: BinnedPairing, _ db: Database) throws -> Bool {
        // The words of BinRow. The rest of the row stays as it is.
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
