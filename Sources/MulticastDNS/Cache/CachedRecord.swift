internal import DNSMessages

/// A record that was heard on a link.
struct CachedRecord {
    /// Whose and what it is.
    let key: RecordKey

    /// What it says.
    let data: DNSRecordData

    /// Who sent it first.
    let source: PacketSource

    /// How long it is kept.
    var lifetime: RecordLifetime

    /// Where it stands in its ``RecordSet``.
    var position: Int

    /// For when the cache has it in its heap; `nil` while it is looked at.
    var scheduled: ContinuousClock.Instant?

    /// How many bytes it counts for.
    var size: Int {
        let own = 96 + key.name.wire.count
        return switch data {
        case .txt(let bytes), .other(_, let bytes): own + bytes.count
        case .ptr(let name): own + name.wire.count
        case .srv(let srv): own + srv.target.wire.count
        default: own
        }
    }
}
