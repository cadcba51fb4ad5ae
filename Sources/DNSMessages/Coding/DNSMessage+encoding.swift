extension DNSMessage {
    /// The number of entries in each of its sections.
    public var counts: DNSSectionCounts {
        DNSSectionCounts(
            questions: questions.count,
            answers: answers.count,
            authorities: authorities.count,
            additionals: additionals.count
        )
    }

    /// Writes the message, as far as it fits.
    ///
    /// Entries from the first one on that does not fit are left out. TC is set when that is more than additional
    /// records, which nobody misses (RFC 2181 §9). A multicast DNS response never has TC (RFC 6762 §18.5): its sender
    /// makes several messages, with a ``DNSMessageEncoder``.
    ///
    /// - Parameters:
    ///   - limit: How many bytes it may have, 12–65,535.
    ///   - compression: Which names become pointers.
    public func encoded(
        limit: Int = DNSMessageEncoder.maximumLength,
        compression: DNSNameCompression = .unicast
    ) -> DNSEncodedMessage {
        var encoder = DNSMessageEncoder(id: id, flags: flags, limit: limit, compression: compression)
        let isComplete = append(to: &encoder)
        let counts = encoder.counts
        if !isComplete {
            let isMissed =
                (counts.questions, counts.answers, counts.authorities)
                != (questions.count, answers.count, authorities.count)
            if isMissed { encoder.flags.isTruncated = true }
        }
        return DNSEncodedMessage(bytes: encoder.finish(), counts: counts, isComplete: isComplete)
    }

    /// Appends everything up to what does not fit.
    private func append(to encoder: inout DNSMessageEncoder) -> Bool {
        for question in questions {
            guard encoder.append(question) else { return false }
        }
        for record in answers {
            guard encoder.append(record, to: .answers) else { return false }
        }
        for record in authorities {
            guard encoder.append(record, to: .authorities) else { return false }
        }
        for record in additionals {
            guard encoder.append(record, to: .additionals) else { return false }
        }
        return true
    }
}

/// The names of a message that are written as pointers to earlier ones (RFC 1035 §4.1.4).
public enum DNSNameCompression: Hashable, Sendable {
    /// None.
    case none

    /// The owners of records, and the names in PTR, NS, CNAME and SOA records, not those in SRV and NSEC records: for
    /// unicast DNS (RFC 2782, RFC 3597 §4) and for answers to legacy queriers (RFC 6762 §18.14).
    case unicast

    /// Those in SRV and NSEC records as well (RFC 6762 §18.14).
    case multicast
}
