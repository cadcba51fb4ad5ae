internal import DNSMessages
internal import DNSSD

/// A record that was heard on a link.
///
/// There may be very many. In this order nothing is lost between one property and the next.
struct CachedRecord {
    /// Who sent it first.
    let source: PacketSource

    /// What it says.
    let data: DNSRecordData

    /// Where it stands in its ``RecordSet``.
    var position: UInt32

    /// Whose it is.
    let name: DomainName

    /// How long it is kept.
    var lifetime: RecordLifetime

    /// For when the cache has it in its heap; `nil` while it is looked at.
    var scheduled: ContinuousClock.Instant?

    /// Whose and what it is.
    var key: RecordKey { RecordKey(name, data.type) }

    /// How many bytes it counts for.
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
