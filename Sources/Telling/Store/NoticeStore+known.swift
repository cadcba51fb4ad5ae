internal import GRDB
internal import Notices

/// The gateways that were seen before on the local network.
extension NoticeStore {
    /// Returns the keys of the gateways that are known, the oldest first.
    package func knownGateways() throws(NoticeStoreError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT gateway FROM known ORDER BY number") }
    }
}
