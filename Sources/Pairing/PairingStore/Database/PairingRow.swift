internal import DNSSD
internal import GRDB
internal import GatewayProtocol

/// A pairing's own row.
struct PairingRow {
    /// Its pairing, with neither endpoints, bots nor credentials.
    let pairing: StoredPairing

    /// The columns that put it into the bin; `nil` for a live pairing.
    let bin: BinRow?

    private static let columns = """
        id, gatewayID, fingerprint, name, dialect, operatorTool, trust, leaf, host, networkPrefix, networkLength,
        router, gatewayHardware, resource, remoteURL, connectedURL, connectsAutomatically, pairedAt, lastConnected,
        tailnetNode, tunnelName, tunnelKind, tunnelAddress, ownName
        """

    /// Returns the undecoded rows of all pairings, by time of pairing.
    static func rows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: "SELECT \(columns), \(BinRow.columns) FROM pairing ORDER BY pairedAt, id")
    }

    /// Returns the undecoded rows of the pairings that are in the bin or have a credential there, by time of pairing.
    static func binnedRows(_ db: Database) throws -> [Row] {
        let sql = """
            SELECT \(columns), \(BinRow.columns) FROM pairing
            WHERE binnedAt IS NOT NULL OR id IN (SELECT pairing FROM credential WHERE binnedAt IS NOT NULL)
            ORDER BY pairedAt, id
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql))
    }

    static func fetch(_ id: PairingID, _ db: Database) throws -> PairingRow? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT \(columns), \(BinRow.columns) FROM pairing WHERE id = ?"),
            arguments: [id.description]
        )
        .map { try PairingRow($0) }
    }

    /// The number of pairings, those in the bin included.
    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM pairing") ?? 0
    }

    private static func fingerprint(_ bytes: [UInt8]) throws(StoreError) -> GatewayFingerprint {
        guard let fingerprint = GatewayFingerprint(bytes: bytes) else { throw Row.unreadable("fingerprint") }
        return fingerprint
    }

    init(_ row: Row) throws(StoreError) {
        bin = try BinRow(row)
        pairing = StoredPairing(
            id: try row.read("id") { PairingID($0 as String) },
            gatewayID: try row.value("gatewayID"),
            fingerprint: try row.optionalBytes("fingerprint").map(Self.fingerprint),
            name: try row.value("name"),
            ownName: try row.optional("ownName"),
            dialect: try row.read("dialect") { GatewayDialect(rawValue: $0) },
            // It decides only which command is shown, so a program that a later version knows is no reason to fail.
            operatorTool: SessionRefusal.OperatorTool(rawValue: try row.value("operatorTool")) ?? .openClaw,
            trust: try TrustPolicy(row),
            endpoints: [],
            resource: try row.value("resource"),
            remoteURL: try row.optional("remoteURL"),
            connectedURL: try row.optional("connectedURL"),
            connectsAutomatically: try row.value("connectsAutomatically"),
            pairedAt: try row.value("pairedAt"),
            lastConnected: try row.optional("lastConnected")
        )
    }

    /// Inserts or updates a pairing's own row. Its place in the bin stays the same.
    static func write(_ pairing: StoredPairing, _ db: Database) throws {
        let trust = pairing.trust.row
        let arguments: StatementArguments = [
            pairing.id.description, pairing.gatewayID, pairing.fingerprint?.bytes.blob, pairing.name,
            pairing.dialect.rawValue, pairing.operatorTool.rawValue, trust.kind, trust.leaf?.blob, trust.host,
            trust.network?.prefix.bytes.blob,
            trust.network?.prefixLength, trust.network?.router.blob, trust.network?.gateway?.blob, pairing.resource,
            pairing.remoteURL, pairing.connectedURL, pairing.connectsAutomatically, pairing.pairedAt,
            pairing.lastConnected, trust.node?.key, trust.tunnel?.name, trust.tunnel?.kind.rawValue,
            trust.tunnel?.address.bytes.blob, pairing.ownName,
        ]
        try db.execute(
            sql: """
                INSERT INTO pairing (\(columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    gatewayID = excluded.gatewayID, fingerprint = excluded.fingerprint, name = excluded.name,
                    dialect = excluded.dialect, operatorTool = excluded.operatorTool, trust = excluded.trust, leaf = excluded.leaf, host = excluded.host,
                    networkPrefix = excluded.networkPrefix, networkLength = excluded.networkLength,
                    router = excluded.router, gatewayHardware = excluded.gatewayHardware,
                    resource = excluded.resource, remoteURL = excluded.remoteURL, connectedURL = excluded.connectedURL,
                    connectsAutomatically = excluded.connectsAutomatically, pairedAt = excluded.pairedAt,
                    lastConnected = excluded.lastConnected, tailnetNode = excluded.tailnetNode,
                    tunnelName = excluded.tunnelName, tunnelKind = excluded.tunnelKind,
                    tunnelAddress = excluded.tunnelAddress, ownName = excluded.ownName
                """,
            arguments: arguments
        )
    }
}

// MARK: Trust

extension TrustPolicy {
    fileprivate struct Columns {
        let kind: String
        var leaf: [UInt8]?
        var host: String?
        var network: HomeNetwork?
        var node: TailnetNode?
        var tunnel: NetworkTunnel?
    }

    fileprivate var row: Columns {
        switch self {
        case .pinned(let leaf): Columns(kind: "pinned", leaf: leaf.bytes)
        case .certified(let host): Columns(kind: "certified", host: host)
        case .sameAddress(let network): Columns(kind: "sameAddress", network: network)
        case .lan(let network): Columns(kind: "lan", network: network)
        case .tailnet(let node): Columns(kind: "sameAddress", network: .nowhere, node: node)
        case .tunnel(let tunnel): Columns(kind: "sameAddress", network: .nowhere, tunnel: tunnel)
        }
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        switch try row.value("trust") as String {
        case "pinned":
            guard let leaf = LeafFingerprint(bytes: try row.bytes("leaf")) else { throw Row.unreadable("leaf") }
            self = .pinned(leaf)
        case "certified":
            self = .certified(host: try row.value("host"))
        case "sameAddress":
            let network = try HomeNetwork(row)
            // A process of an earlier version may have replaced the trust since, and leaves columns that it does not know.
            self = try network == .nowhere ? Self.atTunnel(row) ?? .awaited : .sameAddress(network)
        case "lan":
            self = .lan(try HomeNetwork(row))
        default:
            // An error is better than a weaker policy.
            throw Row.unreadable("trust")
        }
    }

    /// Returns the trust in what is at the end of a tunnel; `nil` if the row names none.
    private static func atTunnel(_ row: Row) throws(StoreError) -> TrustPolicy? {
        if let key: String = try row.optional("tailnetNode") {
            guard let node = TailnetNode(key) else { throw Row.unreadable("tailnetNode") }
            return .tailnet(node)
        }
        guard let name: String = try row.optional("tunnelName") else { return nil }
        guard let address = IPAddress(bytes: try row.bytes("tunnelAddress"), scope: nil) else {
            throw Row.unreadable("tunnelAddress")
        }
        let kind: NetworkTunnel.Kind = try row.read("tunnelKind") { NetworkTunnel.Kind(rawValue: $0) }
        return .tunnel(NetworkTunnel(name: name, kind: kind, address: address))
    }
}

extension HomeNetwork {
    fileprivate init(_ row: Row) throws(StoreError) {
        guard let prefix = IPAddress(bytes: try row.bytes("networkPrefix"), scope: nil) else {
            throw Row.unreadable("networkPrefix")
        }
        self.init(
            prefix: prefix,
            prefixLength: try row.value("networkLength"),
            router: try row.bytes("router"),
            gateway: try row.optionalBytes("gatewayHardware")
        )
    }
}
