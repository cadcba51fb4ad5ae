internal import DNSSD

/// The record beside an instance that says who has published it, and until when it counts.
///
/// No DNS server forgets what a publisher that died has left. This does not change the records that others read.
struct ZoneLease: Hashable, Sendable {
    /// The time by which the clocks of two publishers may differ, in seconds: so long after its end, a lease counts.
    static let tolerance: UInt64 = 600

    /// The publisher.
    let owner: String

    /// The time at which it ends, in seconds since 1970.
    let until: UInt64

    /// The label of the host that the instance is at, below `hosts`.
    let host: String

    /// The type, with the subtypes under which the instance is listed as well.
    let type: ServiceType

    init(owner: String, until: UInt64, host: String, type: ServiceType) {
        self.owner = owner
        self.until = until
        self.host = host
        self.type = type
    }

    /// Reads one; `nil` if it is none.
    init?(_ data: DNSRecordData) {
        guard case .txt(let bytes) = data else { return nil }
        let txt = TXTRecord(decoding: bytes)
        guard let owner = txt.string(forKey: "owner"), let until = txt.string(forKey: "until").flatMap({ UInt64($0) }),
            let host = txt.string(forKey: "host"), let text = txt.string(forKey: "type"),
            let type = try? ServiceType(text), until < 1 << 40
        else { return nil }
        self.init(owner: owner, until: until, host: host, type: type)
    }

    /// - Throws: When there are too many subtypes for it.
    func data() throws(DNSSDError) -> DNSRecordData {
        let pairs = [("owner", owner), ("until", "\(until)"), ("host", host), ("type", type.description)]
        return .txt(try TXTRecord(pairs).encoded())
    }

    /// Indicates whether it no longer counts.
    func isOver(at time: UInt64) -> Bool { until + Self.tolerance < time }

    /// Returns the update that removes an instance, if it is still leased like this.
    ///
    /// - Parameters:
    ///   - lease: The record of the lease.
    ///   - keepsHost: Whether others of its publisher are at the same host.
    func removal(
        of instance: DomainName,
        _ lease: DNSRecord,
        in names: ZoneNames,
        keepsHost: Bool = false
    ) -> ZoneUpdate {
        var update = ZoneUpdate()
        update.guards = [lease.asPrerequisite]
        update.changes = [.deletion(of: instance), .deletion(of: lease.name)]
        let lists = [try? names.type(type)] + type.subtypes.map { try? names.subtype($0, of: type) }
        update.changes += lists.compactMap { list in
            list.map { DNSRecord(name: $0, ttl: 0, data: .ptr(instance)).asDeletion }
        }
        // Another publisher's host has another name, whatever a lease says.
        if !keepsHost, host.hasSuffix("-\(owner)"), let name = try? names.host(host) {
            update.changes += [.deletion(of: name, .a), .deletion(of: name, .aaaa)]
        }
        return update
    }
}
