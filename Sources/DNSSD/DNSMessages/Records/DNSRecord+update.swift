/// The records that an update is made of: what must be true before it (RFC 2136 §2.4), and what it deletes (§2.5). What it
/// adds are records as they will be in the zone.
extension DNSRecord {
    /// Returns the prerequisite that a name has no records of a type; none at all by default.
    package static func unused(_ name: DomainName, _ type: DNSRecordType = .any) -> DNSRecord {
        DNSRecord(name: name, dnsClass: .none, ttl: 0, data: .other(type, []))
    }

    /// The prerequisite that the zone has exactly this record, or with others of its name and type exactly these.
    package var asPrerequisite: DNSRecord {
        DNSRecord(name: name, ttl: 0, data: data)
    }

    /// Returns the deletion of all records that a name has of a type; of any type by default.
    package static func deletion(of name: DomainName, _ type: DNSRecordType = .any) -> DNSRecord {
        DNSRecord(name: name, dnsClass: .any, ttl: 0, data: .other(type, []))
    }

    /// The deletion of exactly this record.
    package var asDeletion: DNSRecord {
        DNSRecord(name: name, dnsClass: .none, ttl: 0, data: data)
    }
}
