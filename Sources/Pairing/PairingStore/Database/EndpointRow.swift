internal import DNSSD
internal import GRDB
internal import HostSystem

/// The endpoints of pairings.
enum EndpointRow {
    static func fetch(_ id: PairingID, _ db: Database) throws -> [Endpoint] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT address, port, scopeName, scopeIndex, serverName,
                        coalesce(endpoint.resource, pairing.resource) AS resource
                    FROM endpoint JOIN pairing ON pairing.id = endpoint.pairing
                    WHERE endpoint.pairing = ? ORDER BY position
                    """
            ),
            arguments: [id.description]
        )
        .map { try endpoint($0) }
    }

    /// Replaces all endpoints of a pairing.
    static func replace(_ endpoints: [Endpoint], of id: PairingID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM endpoint WHERE pairing = ?", arguments: [id.description])
        for (position, endpoint) in endpoints.enumerated() {
            let scope = endpoint.address.scope
            try db.execute(
                sql: """
                    INSERT INTO endpoint (pairing, position, address, port, scopeName, scopeIndex, resource, serverName)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id.description, position, endpoint.address.bytes.blob, Int(endpoint.port), scope?.name,
                    scope.map { Int($0.index) }, endpoint.resource,
                    endpoint.serverName?.description,
                ]
            )
        }
    }

    private static func endpoint(_ row: Row) throws(StoreError) -> Endpoint {
        var scope: NetworkInterface?
        if let name: String = try row.optional("scopeName") {
            let index: UInt32 = try row.read("scopeIndex") { UInt32(exactly: $0 as Int) }
            scope = interface(name, index: index)
        }
        guard let address = IPAddress(bytes: try row.bytes("address"), scope: scope) else {
            throw Row.unreadable("address")
        }
        return Endpoint(
            address: address,
            port: try row.read("port") { UInt16(exactly: $0 as Int) },
            resource: try row.value("resource"),
            serverName: try row.optional("serverName").map { name throws(StoreError) in
                guard let name = ServerName(name) else { throw Row.unreadable("serverName") }
                return name
            }
        )
    }

    /// Returns the interface with its present number: the number changes whenever the interface is created anew, the
    /// name does not.
    private static func interface(_ name: String, index: UInt32) -> NetworkInterface {
        NetworkInterface(index: HostInterface.index(ofName: name) ?? index, name: name)
    }
}

extension IPAddress {
    /// Creates an address from its four or sixteen bytes.
    init?(bytes: [UInt8], scope: NetworkInterface?) {
        if let address = IPv4Address(bytes: bytes) {
            self = .v4(address)
        } else if let address = IPv6Address(bytes: bytes, scope: scope) {
            self = .v6(address)
        } else {
            return nil
        }
    }
}
