extension DNSMessage {
    /// The number of entries in each section of the message.
    package var counts: DNSSectionCounts {
        DNSSectionCounts(
            questions: questions.count,
            answers: answers.count,
            authorities: authorities.count,
            additionals: additionals.count
        )
    }

    /// Encodes the message, as far as it fits.
    ///
    /// The first entry that does not fit is left out, and so is everything after it. The TC flag is set unless only
    /// additional records were left out, which a receiver does not depend on (RFC 2181 §9). A multicast DNS response
    /// never has TC (RFC 6762 §18.5): its sender makes several messages, with a ``DNSMessageEncoder``.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that the message may have, 12–65,535.
    ///   - compression: The names that are written as pointers.
    package func encoded(
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

    /// Appends all entries up to the first one that does not fit.
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

/// The names of a message that are written as pointers to earlier names (RFC 1035 §4.1.4).
package enum DNSNameCompression: Hashable, Sendable {
    /// No names.
    case none

    /// The owner names of records and the names in PTR, NS, CNAME and SOA records, but not those in SRV and NSEC
    /// records: for unicast DNS (RFC 2782, RFC 3597 §4) and for responses to legacy queriers (RFC 6762 §18.14).
    case unicast

    /// The same names, and those in SRV and NSEC records as well (RFC 6762 §18.14).
    case multicast
}
