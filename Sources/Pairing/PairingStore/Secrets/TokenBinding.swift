internal import GRDB

/// The sealing anew of tokens that an earlier version has sealed without their ``TokenDestination``: once, as soon as
/// the key is there.
///
/// A copy of the database from that time may still be put in place of this one, and changed before: its tokens are bound
/// to what it says by then.
enum TokenBinding {
    /// The version by which a token is sealed that is not bound to where it may go.
    static let unbound = 1
    /// The present version.
    static let bound = 2

    /// Seals all tokens anew that are not bound yet, in one transaction.
    ///
    /// Those that do not open stay as they are, and count as bound: nothing ever opens them. Rows that cannot be decoded
    /// stay as they are, too, and are looked at again at the next opening.
    static func complete(_ database: StoreDatabase, _ key: SealingKey) throws(StoreError) {
        guard try !database.read({ try pending($0).isEmpty }) else { return }
        try database.write { db in
            for (row, destination) in try pending(db) {
                var row = row
                if let secret = key.open(row.sealed, in: row.formerPlace) {
                    row.sealed = try key.seal(secret, in: row.place(destination))
                }
                row.version = bound
                try row.updateSeal(db)
            }
        }
    }

    private static func pending(_ db: Database) throws -> [(CredentialRow, TokenDestination)] {
        try CredentialRow.fetchUnbound(db).compactMap { row in
            guard let destination = try StoreError.ifDecodable({ try TokenDestination.fetch(row.pairing, db) }) else {
                return nil
            }
            return (row, destination)
        }
    }
}
