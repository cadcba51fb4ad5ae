internal import DNSMessages
internal import DNSSD

/// The records of a claim.
struct PublishedRecords: Hashable, Sendable {
    /// The names that nobody else may have.
    let names: [DomainName]

    /// The records of these names, with the cache-flush bit (RFC 6762 §10.2).
    let unique: [DNSRecord]

    /// Records of names that others have as well, announced with them.
    let shared: [DNSRecord]

    /// Those of a publication: where each of its types leads to (RFC 6763 §4, §5, §6, §7.1, §9).
    ///
    /// - Throws: When a name does not fit.
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

    /// Those of this host on a link.
    ///
    /// There is no reverse mapping. Another responder of this host may call it otherwise, and avahi-daemon probes for the
    /// names of its addresses together with its own: an answer of ours would be a conflict under every name that it tries,
    /// and it would never come up.
    init(host: DomainName, addresses: [IPAddress]) {
        self.names = [host]
        self.unique = addresses.map { address in
            let data: DNSRecordData =
                switch address {
                case .v4(let address): .a(address.bits)
                case .v6(let address): .aaaa(address.bits)
                }
            return DNSRecord(name: host, isCacheFlush: true, ttl: RecordTTL.host, data: data)
        }
        self.shared = []
    }

    /// No record and no name: not even that there is none.
    static let nothing = PublishedRecords(names: [], unique: [], shared: [])

    private init(names: [DomainName], unique: [DNSRecord], shared: [DNSRecord]) {
        self.names = names
        self.unique = unique
        self.shared = shared
    }

    /// The same without some of the records of names that nobody else may have.
    func leavingOut(_ isLeftOut: (DNSRecord) -> Bool) -> PublishedRecords {
        PublishedRecords(names: names, unique: unique.filter { !isLeftOut($0) }, shared: shared)
    }
}

/// The times for which records of ours are valid, in seconds (RFC 6762 §10).
enum RecordTTL {
    /// Those with a host's name in them, or as their name.
    static let host: UInt32 = 120

    /// All others.
    static let other: UInt32 = 4_500

    /// The most that a legacy querier is told, which does not hear of changes (RFC 6762 §6.7).
    static let legacy: UInt32 = 10
}
