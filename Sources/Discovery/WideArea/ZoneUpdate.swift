package import DNSSD

/// One change to a zone, which is made completely or not at all (RFC 2136): if what it expects is true.
package struct ZoneUpdate: Hashable, Sendable {
    /// The prerequisites.
    package var guards: [DNSRecord] = []

    /// The changes: what it deletes and adds, in this order.
    package var changes: [DNSRecord] = []

    /// Creates one that changes nothing.
    package init() {}

    /// Returns the message that asks a server for it.
    func message(zone: DomainName, id: UInt16) -> DNSMessage {
        DNSMessage(
            id: id,
            flags: .update,
            questions: [DNSQuestion(name: zone, type: .soa)],
            answers: guards,
            authorities: changes
        )
    }

    /// The number of bytes that it has at most in a message.
    var length: Int {
        (guards + changes).reduce(0) { $0 + $1.name.wire.count + $1.data.uncompressed.count + 10 }
    }

    /// The same as `nsupdate` reads it, which finds the zone by itself.
    var text: String {
        (guards.map(Self.prerequisite) + changes.map(Self.change) + ["send"]).map { $0 + "\n" }.joined()
    }

    private static func prerequisite(_ record: DNSRecord) -> String {
        switch (record.dnsClass, record.type) {
        case (.none, .any): "prereq nxdomain \(record.name.zoneText)"
        case (.none, let type): "prereq nxrrset \(record.name.zoneText) \(type)"
        default: "prereq yxrrset \(record.name.zoneText) \(record.type) \(record.data.zoneText)"
        }
    }

    private static func change(_ record: DNSRecord) -> String {
        let name = record.name.zoneText
        return switch (record.dnsClass, record.type) {
        case (.any, .any): "update delete \(name)"
        case (.any, let type): "update delete \(name) \(type)"
        case (.none, let type): "update delete \(name) \(type) \(record.data.zoneText)"
        default: "update add \(name) \(record.ttl) \(record.type) \(record.data.zoneText)"
        }
    }
}
