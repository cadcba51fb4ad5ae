internal import DNSSD

/// A record that was received on a link.
///
/// There may be very many records: the properties are in an order that needs no padding between them.
struct CachedRecord {
    /// The source that sent the record first.
    let source: PacketSource

    /// The data of the record.
    let data: DNSRecordData

    /// The position of the record in its ``RecordSlots``.
    var position: UInt32

    /// The name that the record belongs to.
    let name: DomainName

    /// The lifetime of the record, which determines how long it is stored.
    var lifetime: RecordLifetime

    /// The time of the record's current entry in the cache's heap; `nil` while the record is being handled.
    var scheduled: StoredInstant?

    /// The name and type of the record.
    var key: RecordKey { RecordKey(name, data.type) }

    /// The number of bytes that the record counts for.
    var size: Int {
        let own = 96 + name.wire.count
        return switch data {
        case .txt(let bytes), .other(_, let bytes): own + bytes.count
        case .ptr(let name): own + name.wire.count
        case .srv(let srv): own + srv.target.wire.count
        default: own
        }
    }
}
