/// A DNS message: a query, a response or an update (RFC 1035 §4, RFC 2136, RFC 6762 §18).
///
/// ## Usage
///
/// ```swift
/// var query = DNSMessage(id: 4711)
/// query.questions = [DNSQuestion(name: try DomainName(escaped: "_openclaw._tcp.local"), type: .ptr)]
/// let packet = query.encoded().bytes
///
/// let response = try DNSReceivedMessage(decoding: received).message
/// for record in response.answers { print(record.name, record.type) }
/// ```
package struct DNSMessage: Hashable, Sendable {
    /// The id by which a response is matched to its query. 0 in multicast DNS (RFC 6762 §18.1), except to and from a
    /// legacy querier (§6.7).
    package var id: UInt16

    /// The opcode, the flags and the response code.
    package var flags: DNSFlags

    /// The questions; in an update, the zone.
    package var questions: [DNSQuestion]

    /// The answers; in a multicast DNS query, the known answers (RFC 6762 §7.1).
    package var answers: [DNSRecord]

    /// The authority records; in a multicast DNS probe, the records that are claimed (RFC 6762 §8.2).
    package var authorities: [DNSRecord]

    /// The additional records, which a reader of the answers is likely to need.
    package var additionals: [DNSRecord]

    /// Creates a message; by default an empty query with the id 0.
    package init(
        id: UInt16 = 0,
        flags: DNSFlags = .query,
        questions: [DNSQuestion] = [],
        answers: [DNSRecord] = [],
        authorities: [DNSRecord] = [],
        additionals: [DNSRecord] = []
    ) {
        self.id = id
        self.flags = flags
        self.questions = questions
        self.answers = answers
        self.authorities = authorities
        self.additionals = additionals
    }
}

/// One of the three sections of a message that hold records, in their order (RFC 1035 §4.1).
///
/// In an update they hold the prerequisites, the changes and the additional data (RFC 2136 §2); the zone is in the
/// question section.
package enum DNSSection: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The answers; see ``DNSMessage/answers``.
    case answers

    /// The authority records; see ``DNSMessage/authorities``.
    case authorities

    /// The additional records; see ``DNSMessage/additionals``.
    case additionals

    /// Orders the sections as they follow one another in a message.
    package static func < (lhs: DNSSection, rhs: DNSSection) -> Bool { lhs.rawValue < rhs.rawValue }
}
