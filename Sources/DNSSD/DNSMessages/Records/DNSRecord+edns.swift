extension DNSRecord {
    /// Returns an OPT record, which belongs among the additional records (RFC 6891 §6.1).
    ///
    /// - Parameters:
    ///   - payloadSize: How many bytes of UDP payload the sender can take.
    ///   - isDNSSECWanted: The DO bit (RFC 3225 §3).
    package static func opt(
        payloadSize: UInt16,
        isDNSSECWanted: Bool = false,
        options: [OPTData.Option] = []
    ) -> DNSRecord {
        DNSRecord(
            name: .root,
            dnsClass: DNSClass(rawValue: payloadSize),
            isCacheFlush: payloadSize & 0x8000 != 0,
            ttl: isDNSSECWanted ? 0x8000 : 0,
            data: .opt(OPTData(options: options))
        )
    }

    /// In an OPT record: the number of bytes of UDP payload that the sender can take. It occupies the field that holds
    /// the class in other records.
    package var ednsPayloadSize: UInt16? {
        guard type == .opt else { return nil }
        return dnsClass.rawValue | (isCacheFlush ? 0x8000 : 0)
    }
}
