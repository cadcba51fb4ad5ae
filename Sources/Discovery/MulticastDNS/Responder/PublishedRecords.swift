internal import DNSSD

/// The records of a claim.
struct PublishedRecords: Hashable, Sendable {
    /// The names that nobody else on the link may use.
    let names: [DomainName]

    /// The records of these names, with the cache-flush bit (RFC 6762 §10.2).
    let unique: [DNSRecord]

    /// The records of names that others have as well, announced together with the unique ones.
    let shared: [DNSRecord]

    /// Creates the records of a publication, for each of its types (RFC 6763 §4, §5, §6, §7.1, §9).
    ///
    /// - Throws: When a name is too long.
    init(
        _ advertisement: Advertisement,
        named name: String,
        text: [UInt8],
        host: DomainName
    ) throws(DNSSDError) {
        var names: [DomainName] = []
        var unique: [DNSRecord] = []
        var shared: [DNSRecord] = []
        for type in advertisement.types {
            let typeName = try LocalNames.type(type)
            let instance = try typeName.prepending(name.utf8)
            if !names.contains(instance) {
                names.append(instance)
                let location = SRVData(port: advertisement.port, target: host)
                unique.append(
                    DNSRecord(name: instance, isCacheFlush: true, ttl: RecordTTL.host, data: .srv(location))
                )
                unique.append(DNSRecord(name: instance, isCacheFlush: true, ttl: RecordTTL.other, data: .txt(text)))
                shared.append(DNSRecord(name: typeName, ttl: RecordTTL.other, data: .ptr(instance)))
                shared.append(DNSRecord(name: LocalNames.types, ttl: RecordTTL.other, data: .ptr(typeName)))
            }
            for subtype in type.subtypes {
                let name = try LocalNames.subtype(subtype, of: type)
                shared.append(DNSRecord(name: name, ttl: RecordTTL.other, data: .ptr(instance)))
            }
        }
        self.names = names
        self.unique = unique
        self.shared = shared
    }

    /// Creates the records of this host on a link.
    ///
    /// There are no records for reverse mapping. Another responder of this host may use another host name, and
    /// avahi-daemon probes for the reverse names of its addresses together with its own: an answer of ours would be a
    /// conflict under every name that it tries, and it would never come up.
    init(host: DomainName, addresses: [IPAddress]) {
        self.names = [host]
        self.unique = addresses.map {
            DNSRecord(name: host, isCacheFlush: true, ttl: RecordTTL.host, data: DNSRecordData($0))
        }
        self.shared = []
    }

    /// No records and no names, so that not even their absence is asserted.
    static let nothing = PublishedRecords(names: [], unique: [], shared: [])

    private init(names: [DomainName], unique: [DNSRecord], shared: [DNSRecord]) {
        self.names = names
        self.unique = unique
        self.shared = shared
    }

    /// Returns the same records without some of the unique ones.
    func leavingOut(_ isLeftOut: (DNSRecord) -> Bool) -> PublishedRecords {
        PublishedRecords(names: names, unique: unique.filter { !isLeftOut($0) }, shared: shared)
    }
}

/// The times for which records of ours are valid, in seconds (RFC 6762 §10).
enum RecordTTL {
    /// The TTL of records that contain a host name, or are named by one.
    static let host: UInt32 = 120

    /// The TTL of all other records.
    static let other: UInt32 = 4_500

    /// The highest TTL in a response to a legacy querier, which does not receive changes (RFC 6762 §6.7).
    static let legacy: UInt32 = 10
}
