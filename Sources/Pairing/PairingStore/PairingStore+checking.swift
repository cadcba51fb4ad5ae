extension PairingStore {
    /// Checks that a pairing could be stored now: nothing is asked of a gateway that could not be kept here.
    ///
    /// It writes and syncs as much as a usual pairing takes, and rolls that back, so a full disk or quota, a read-only
    /// file or file system, a writer that keeps the database, a missing key and the ``StoreLimits`` show themselves.
    /// Any of them may still happen later.
    ///
    /// - Parameters:
    ///   - count: The number of credentials to come.
    ///   - pairing: The live pairing that is to get them; `nil` for a new one.
    /// - Throws: The errors of ``insert(_:secrets:)``, and `notFound` for a pairing that is not live.
    package func checkWritable(credentials count: Int = 1, in pairing: PairingID? = nil) throws(StoreError) {
        _ = try key()
        try database.tryWriting(bytes: Self.usualSize) { db in
            guard let pairing else {
                guard try PairingRow.count(db) < StoreLimits.pairings else {
                    throw StoreError.tooMany("pairings", StoreLimits.pairings + 1, StoreLimits.pairings)
                }
                return
            }
            guard let row = try PairingRow.fetch(pairing, db), row.bin == nil else {
                throw StoreError.noPairing(pairing)
            }
            let known = try CredentialRow.count(of: pairing, db)
            guard known <= StoreLimits.credentials - count else {
                throw StoreError.tooMany("credentials", known + count, StoreLimits.credentials)
            }
        }
    }

    /// Checks that the store could be written to now, as far as that shows without a write: for a program that says how it
    /// does. It waits while another process has the database.
    package func checkAccess() throws(StoreError) { try database.tryLocking() }

    /// The room of a pairing with some dozens of bots, in bytes.
    private static let usualSize = 65_536
}
