internal import DNSSD
internal import GRDB
internal import GatewayProtocol

/// All rows of one pairing.
struct PairingParts {
    let row: PairingRow
    let endpoints: [Endpoint]
    let bots: [StoredBot]
    let credentials: [CredentialRow]

    static func fetch(_ row: PairingRow, _ db: Database) throws -> PairingParts {
        let id = row.pairing.id
        return PairingParts(
            row: row,
            endpoints: try EndpointRow.fetch(id, db),
            bots: try BotRow.fetch(id, db),
            credentials: try CredentialRow.fetch(id, db)
        )
    }

    static func fetch(_ id: PairingID, _ db: Database) throws -> PairingParts? {
        try PairingRow.fetch(id, db).map { try fetch($0, db) }
    }

    /// Returns all pairings that this version can decode.
    static func fetchAll(_ db: Database) throws -> [PairingParts] { try decoded(PairingRow.rows(db), db) { _, _ in } }

    /// Returns the pairings of which something is in the bin, and that this version can decode. They are read by a query
    /// of their own, since they are few and read often.
    static func fetchBinned(_ db: Database) throws -> [PairingParts] {
        try decoded(PairingRow.binnedRows(db), db) { _, _ in }
    }

    /// Returns the identifiers of the pairings that this version cannot decode, as they are stored, with the column of
    /// the first value that it cannot decode.
    static func fetchUnreadable(_ db: Database) throws -> [(pairing: String?, column: String?)] {
        var found: [(pairing: String?, column: String?)] = []
        _ = try decoded(PairingRow.rows(db), db) { found.append((String.fromDatabaseValue($0["id"]), $1.column)) }
        return found
    }

    /// Returns what can be decoded. A pairing is left out as a whole: what is known of it in part might be written.
    private static func decoded(
        _ rows: [Row],
        _ db: Database,
        _ unreadable: (Row, StoreError) -> Void
    ) throws -> [PairingParts] {
        try rows.compactMap { row in
            do {
                return try fetch(PairingRow(row), db)
            } catch let error as StoreError where error.code == .unreadable {
                unreadable(row, error)
                return nil
            }
        }
    }

    /// The place that its tokens may go to.
    var destination: TokenDestination { TokenDestination(pairing(credentials, bots: bots)) }

    /// The pairing with the credentials that are not in the bin, and the bots that these open; `nil` when it is in the bin
    /// itself.
    var live: StoredPairing? {
        guard row.bin == nil else { return nil }
        return pairing(credentials.filter { $0.bin == nil }, bots: bots.filter { !hidden.contains($0.id) })
    }

    /// The bots that only credentials in the bin open.
    var hidden: Set<BotID> {
        let live = credentials.filter { $0.bin == nil }.map(\.credential.bots)
        guard !live.contains([]) else { return [] }
        let binned = credentials.filter { $0.bin != nil }.flatMap(\.credential.bots)
        return Set(binned).subtracting(live.joined())
    }

    /// The parts of the pairing that are in the bin: the whole of it, or single credentials.
    var binned: [BinnedPairing] {
        if let bin = row.bin {
            let whole = pairing(credentials, bots: bots)
            return [BinnedPairing(pairing: whole, reason: bin.reason, time: bin.time, isWhole: true)]
        }
        return credentials.compactMap { credential in
            guard let bin = credential.bin else { return nil }
            let opened = credential.credential.bots
            return BinnedPairing(
                pairing: pairing([credential], bots: bots.filter { opened.isEmpty || opened.contains($0.id) }),
                reason: bin.reason,
                time: bin.time,
                isWhole: false
            )
        }
    }

    private func pairing(_ credentials: [CredentialRow], bots: [StoredBot]) -> StoredPairing {
        var pairing = row.pairing
        pairing.endpoints = endpoints
        pairing.bots = bots
        pairing.credentials = credentials.map(\.credential)
        return pairing
    }
}
