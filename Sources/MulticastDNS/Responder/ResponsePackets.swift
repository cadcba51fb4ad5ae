internal import DNSMessages
internal import DNSSD

/// Packs records into packets.
enum ResponsePackets {
    /// The most bytes of a packet with one record that does not fit a smaller one (RFC 6762 §17), without headers.
    private static let maximumLength = 8_952

    /// Responses with these answers, and what comes along with each in the same packet, so far as it fits.
    ///
    /// - Parameters:
    ///   - query: The legacy query that is answered: its id and questions are repeated in each packet (RFC 6762 §6.7).
    ///   - limit: How many bytes a packet may have.
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
            // A record that fits no packet at all is left out.
            rest = rest.dropFirst(max(1, taken))
        }
        return packets
    }

    /// Probes (RFC 6762 §8.1): a question for each name, and what is claimed for it among the authorities.
    ///
    /// Without the QU bit, though §8.1 would have it: other processes share port 5353 of this host, and a unicast answer
    /// reaches one of them only (§15.1).
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
            // RFC 6762 §10.2: the bit has no place in a claim.
            record.isCacheFlush = false
            guard encoder.append(record, to: .authorities) else { return nil }
        }
        return encoder.finish()
    }

    /// Packs as many answers as fit, and then what comes along with them.
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

    /// Returns the record as a legacy querier is told it: valid for a short time, and without the cache-flush bit,
    /// which it does not know (RFC 6762 §6.7).
    private static func adapted(_ record: DNSRecord, to query: DNSMessage?) -> DNSRecord {
        guard query != nil else { return record }
        var record = record
        record.ttl = min(record.ttl, RecordTTL.legacy)
        record.isCacheFlush = false
        return record
    }

    /// Returns the number of answers to try in one packet, so that what comes along with them finds room: at least one.
    private static func count(
        of answers: ArraySlice<DNSRecord>,
        with additionals: ([DNSRecord]) -> [DNSRecord],
        limit: Int
    ) -> Int {
        // Header, and the names that all others point to.
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

    /// About how many bytes a record takes whose name stands in the packet already.
    private static func estimatedLength(of record: DNSRecord) -> Int {
        let data =
            switch record.data {
            case .a: 4
            case .aaaa: 16
            case .ptr(let target): Int(target.wire[0]) + 3
            case .txt(let bytes): bytes.count
            // Legacy queriers get the names in these whole.
            default: record.data.uncompressed.count
            }
        return 12 + data
    }
}
