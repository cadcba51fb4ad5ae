package import DNSSD

/// A service that is published in a domain.
package struct ZoneService: Hashable, Sendable {
    /// The wanted instance name. If others have it, the service gets another.
    package var name: String

    /// The types, with subtypes.
    package var types: [ServiceType]

    /// The port.
    package var port: UInt16

    /// The TXT record.
    package var txt: TXTRecord

    /// The name of the host, of which the first label counts.
    package var host: String

    /// The addresses of the host. Those that are valid on one link or host only are left out.
    package var addresses: [IPAddress]

    package init(
        name: String,
        types: [ServiceType],
        port: UInt16,
        txt: TXTRecord,
        host: String,
        addresses: [IPAddress]
    ) {
        self.name = name
        self.types = types
        self.port = port
        self.txt = txt
        self.host = host
        self.addresses = addresses
    }
}

/// The records of a service in a domain (RFC 6763 §4, §5, §6, §7.1, §9).
struct ZoneRecords: Equatable, Sendable {
    /// The time for which readers may keep records, in seconds: within it, they see a change.
    static let ttl: UInt32 = 60

    /// The instances, one for each type, with the type.
    let instances: [(name: DomainName, type: ServiceType)]

    /// The records that only this service has.
    let unique: [DNSRecord]

    /// The records that list it.
    let shared: [DNSRecord]

    /// The label of its host, which no other publisher has if there is an owner.
    let host: String

    /// The addresses of the host.
    let addresses: [DNSRecord]

    /// - Throws: When a name or the TXT record is too long.
    init(
        _ service: ZoneService,
        named name: String,
        in names: ZoneNames,
        owner: String?
    ) throws(DNSSDError) {
        let suffix = owner.map { "-\($0)" } ?? ""
        var labels = HostName(systemName: service.host).requested.labels
        let label = (labels.next() ?? []).prefix(DomainName.maximumLabelLength - suffix.utf8.count)
        let host = String(decoding: label, as: UTF8.self) + suffix
        let hostName = try names.host(host)
        var instances: [(name: DomainName, type: ServiceType)] = []
        var (unique, shared): ([DNSRecord], [DNSRecord]) = ([], [])
        for type in service.types {
            let typeName = try names.type(type)
            let instance = try typeName.prepending(name.utf8)
            // The lease has the longest of all names.
            _ = try ZoneNames.lease(of: instance)
            let add = { (list: DomainName, name: DomainName) in
                shared.append(DNSRecord(name: list, ttl: Self.ttl, data: .ptr(name)))
            }
            if !instances.contains(where: { $0.name == instance }) {
                instances.append((instance, type))
                let location = SRVData(port: service.port, target: hostName)
                unique.append(DNSRecord(name: instance, ttl: Self.ttl, data: .srv(location)))
                unique.append(DNSRecord(name: instance, ttl: Self.ttl, data: .txt(try service.txt.encoded())))
                add(typeName, instance)
                add(names.types, typeName)
            }
            for subtype in type.subtypes { add(try names.subtype(subtype, of: type), instance) }
        }
        self.instances = instances
        self.unique = unique
        self.shared = shared
        self.host = host
        self.addresses = Self.addresses(service.addresses, of: hostName)
    }

    /// Returns the address records of a host, without what means another host elsewhere.
    private static func addresses(_ addresses: [IPAddress], of host: DomainName) -> [DNSRecord] {
        let usable = addresses.map(\.unmapped).filter {
            !$0.isLoopback && !$0.isLinkLocal && !$0.isUnspecified && !$0.isMulticast
        }
        return Set(usable).sorted().map { DNSRecord(name: host, ttl: ttl, data: DNSRecordData($0)) }
    }

    /// Returns the leases of its instances.
    func leases(of owner: String, until time: UInt64) throws(DNSSDError) -> [DNSRecord] {
        var leases: [DNSRecord] = []
        for (instance, type) in instances {
            let lease = ZoneLease(owner: owner, until: time, host: host, type: type)
            leases.append(
                DNSRecord(name: try ZoneNames.lease(of: instance), ttl: Self.ttl, data: try lease.data())
            )
        }
        return leases
    }

    static func == (lhs: ZoneRecords, rhs: ZoneRecords) -> Bool {
        lhs.unique == rhs.unique && lhs.shared == rhs.shared && lhs.addresses == rhs.addresses
    }
}
