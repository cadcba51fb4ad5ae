internal import DNSSD

/// A packer of records into packets.
enum ResponsePackets {
    /// The highest number of bytes, without headers, of a packet for one record that does not fit into a smaller one
    /// (RFC 6762 §17).
    private static let maximumLength = 8_952

    /// Returns responses with these answers, and the additional records of each in the same packet, as far as they fit.
    ///
    /// - Parameters:
    ///   - query: The legacy query to answer: its id and questions are repeated in each packet (RFC 6762 §6.7).
    ///   - limit: The number of bytes that a packet may have.
    static func make(
        _ answers: [DNSRecord],
        additionals: ([DNSRecord]) -> [DNSRecord] = { _ in [] },
        to query: DNSMessage? = nil,
        limit: Int
    ) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = answers[...]
        while !rest.isEmpty {
            let estimate = rest.prefix(count(of: rest, with: additionals, limit: limit))
            var (packet, taken) = pack(estimate, additionals, query, limit)
            if taken == 0 { (packet, taken) = pack(rest.prefix(1), additionals, query, maximumLength) }
            if taken > 0 { packets.append(packet) }
            // A record that does not fit into any packet is left out.
            rest = rest.dropFirst(max(1, taken))
        }
        return packets
    }

    /// Returns probes (RFC 6762 §8.1): a question for each name, and the claimed records in the authority section.
    ///
    /// They do not set the QU bit, although §8.1 recommends it: other processes share port 5353 of this host, and a
    /// unicast answer reaches only one of them (§15.1).
    static func probes(_ claims: [(name: DomainName, records: [DNSRecord])], limit: Int) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = claims[...]
        while !rest.isEmpty {
            var count = rest.count
            while count > 1, probe(rest.prefix(count), limit: limit) == nil { count = (count + 1) / 2 }
            let packet = probe(rest.prefix(count), limit: limit) ?? probe(rest.prefix(count), limit: maximumLength)
            if let packet { packets.append(packet) }
            rest = rest.dropFirst(count)
        }
        return packets
    }

    private static func probe(_ claims: ArraySlice<(name: DomainName, records: [DNSRecord])>, limit: Int) -> [UInt8]? {
        var encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
        for claim in claims {
            guard encoder.append(DNSQuestion(name: claim.name, type: .any)) else { return nil }
        }
        for var record in claims.flatMap(\.records) {
            // RFC 6762 §10.2: the bit belongs in responses only, not in probes.
            record.isCacheFlush = false
            guard encoder.append(record, to: .authorities) else { return nil }
        }
        return encoder.finish()
    }

    /// Packs as many answers as fit, and then their additional records.
    private static func pack(
        _ answers: ArraySlice<DNSRecord>,
        _ additionals: ([DNSRecord]) -> [DNSRecord],
        _ query: DNSMessage?,
        _ limit: Int
    ) -> ([UInt8], Int) {
        var encoder = DNSMessageEncoder(
            id: query?.id ?? 0,
            flags: .authoritativeResponse,
            limit: limit,
            compression: query == nil ? .multicast : .unicast
        )
        for question in query?.questions ?? [] { _ = encoder.append(question) }
        var taken = 0
        for answer in answers {
            guard encoder.append(adapted(answer, to: query), to: .answers) else { break }
            taken += 1
        }
        for record in additionals(Array(answers.prefix(taken))) {
            _ = encoder.append(adapted(record, to: query), to: .additionals)
        }
        return (encoder.finish(), taken)
    }

    /// Returns the record as it is sent to a legacy querier: with a short TTL, and without the cache-flush bit, which
    /// such a querier does not know (RFC 6762 §6.7).
    private static func adapted(_ record: DNSRecord, to query: DNSMessage?) -> DNSRecord {
        guard query != nil else { return record }
        var record = record
        record.ttl = min(record.ttl, RecordTTL.legacy)
        record.isCacheFlush = false
        return record
    }

    /// Returns the number of answers to try in one packet, so that their additional records find room: at least one.
    private static func count(
        of answers: ArraySlice<DNSRecord>,
        with additionals: ([DNSRecord]) -> [DNSRecord],
        limit: Int
    ) -> Int {
        // The header, and the names that compressed names point to.
        var length = 160
        var count = 0
        var seen: Set<DNSRecord> = []
        for answer in answers {
            for record in [answer] + additionals([answer]) where seen.insert(record).inserted {
                length += estimatedLength(of: record)
            }
            guard length <= limit || count == 0 else { break }
            count += 1
        }
        return count
    }

    /// Returns the approximate number of bytes that a record takes if its name is in the packet already.
    private static func estimatedLength(of record: DNSRecord) -> Int {
        let data =
            switch record.data {
            case .a: 4
            case .aaaa: 16
            case .ptr(let target): Int(target.wire[0]) + 3
            case .txt(let bytes): bytes.count
            // Legacy queriers get the names in these records uncompressed.
            default: record.data.uncompressed.count
            }
        return 12 + data
    }
}
