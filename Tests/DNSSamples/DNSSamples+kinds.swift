package import DNSSD

/// Constructed messages, with every kind of record in them.
extension DNSSamples {
    /// Returns a multicast DNS probe for a name with upper case and with bytes that are not UTF-8.
    package static func probe() throws(DNSSDError) -> DNSMessage {
        let host = try DomainName(labels: [[0x00, 0xFF, 0x2E, 0x5C], Array("LOCAL".utf8)])
        return DNSMessage(
            questions: [DNSQuestion(name: host, type: .any, isUnicastWanted: true)],
            authorities: [
                DNSRecord(name: host, ttl: 120, data: .a(0xA9FE_0102)),
                DNSRecord(name: host, ttl: 120, data: .nsec(NSECData(nextName: host, types: [.a, .aaaa, .srv]))),
            ]
        )
    }

    /// Returns a unicast response with a name error, authority records, EDNS and a signature.
    package static func refusal() throws(DNSSDError) -> DNSMessage {
        let zone = try DomainName(escaped: "example.com")
        // RD, RA, and the response code that says that there is no such name.
        let flags = DNSFlags(rawValue: 0x8183)
        let soa = SOAData(
            primary: try zone.prepending("ns".utf8),
            mailbox: try zone.prepending("hostmaster".utf8),
            serial: 2_026_112_101,
            refresh: 7_200,
            retry: 900,
            expire: 1_209_600,
            minimum: 300
        )
        let tsig = TSIGData(
            algorithm: try DomainName(escaped: "hmac-sha256"),
            timeSigned: 0x0000_6921_5678,
            code: Array(0..<32),
            originalID: 0xBEEF
        )
        return DNSMessage(
            id: 0xBEEF,
            flags: flags,
            questions: [DNSQuestion(name: try zone.prepending("nobody".utf8), type: .srv)],
            answers: [DNSRecord(name: try zone.prepending("nobody".utf8), ttl: 60, data: .cname(zone))],
            authorities: [
                DNSRecord(name: zone, ttl: 300, data: .soa(soa)),
                DNSRecord(name: zone, ttl: 300, data: .ns(try zone.prepending("ns".utf8))),
            ],
            additionals: [
                DNSRecord.opt(
                    payloadSize: 1_232,
                    isDNSSECWanted: true,
                    options: [
                        OPTData.Option(code: 10, data: [1, 2, 3, 4, 5, 6, 7, 8]), OPTData.Option(code: 12, data: []),
                    ]
                ),
                DNSRecord(name: try DomainName(escaped: "key.example.com"), dnsClass: .any, ttl: 0, data: .tsig(tsig)),
            ]
        )
    }

    /// Returns a unicast response about a host with aliases, and with records of others.
    package static func zoneAnswer() throws(DNSSDError) -> DNSMessage {
        let zone = try DomainName(escaped: "zone.example")
        let host = try zone.prepending("host".utf8)
        let (first, second) = (try zone.prepending("alias".utf8), try zone.prepending("other".utf8))
        let instance = try DomainName(escaped: "Kitchen._openclaw._tcp.zone.example")
        return DNSMessage(
            id: 0x2D,
            // QR, AA, RD.
            flags: DNSFlags(rawValue: 0x8500),
            questions: [DNSQuestion(name: first, type: .a)],
            answers: [
                DNSRecord(name: first, ttl: 60, data: .cname(second)),
                DNSRecord(name: second, ttl: 30, data: .cname(host)),
                DNSRecord(name: host, ttl: 60, data: .a(0x0A00_0001)),
                DNSRecord(name: host, ttl: 60, data: .a(0x0A00_0002)),
            ],
            additionals: [
                DNSRecord(name: host, ttl: 60, data: .aaaa(0xFD00_0000_0000_0000_0000_0000_0000_0001)),
                DNSRecord(name: instance, ttl: 60, data: .srv(SRVData(port: 3_000, target: host))),
                DNSRecord(name: instance, ttl: 60, data: .txt([7] + Array("bots=12".utf8))), .opt(payloadSize: 1_232),
            ]
        )
    }

    /// Returns a dynamic update (RFC 2136) with prerequisites, additions and deletions.
    package static func update() throws(DNSSDError) -> DNSMessage {
        let zone = try DomainName(escaped: "example.com")
        let name = try DomainName(escaped: "Desk._openclaw._tcp.example.com")
        var flags = DNSFlags.query
        // A change to a zone (RFC 2136).
        flags.opcode = DNSOpcode(rawValue: 5)
        return DNSMessage(
            id: 7,
            flags: flags,
            questions: [DNSQuestion(name: zone, type: .soa)],
            answers: [DNSRecord(name: name, dnsClass: .none, ttl: 0, data: .other(.any, []))],
            authorities: [
                DNSRecord(name: name, dnsClass: .any, ttl: 0, data: .other(.srv, [])),
                DNSRecord(name: name, ttl: 120, data: .srv(SRVData(port: 1, target: .root))),
                DNSRecord(name: name, ttl: 120, data: .other(DNSRecordType(rawValue: 65_280), [0xC0, 0x0C, 0])),
                DNSRecord(name: name, ttl: 120, data: .txt([0])),
            ]
        )
    }
}
