internal import GRDB
internal import Notices

/// The things that the user knows already: gateways that were seen before on the local network, and revocations.
extension NoticeStore {
    /// Returns the keys of the gateways that are known, the oldest first.
    package func knownGateways() throws(NoticeStoreError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT gateway FROM known ORDER BY number") }
    }

    /// Returns the identifiers of the revocations that were told.
    package func toldRevocations() throws(NoticeStoreError) -> Set<String> {
        Set(try read { try String.fetchAll($0, sql: "SELECT id FROM revoked") })
    }
}
