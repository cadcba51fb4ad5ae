/// A DNS message: a query, a response or an update (RFC 1035 §4, RFC 2136, RFC 6762 §18).
///
/// ## Usage
///
/// ```swift
/// var query = DNSMessage(id: 4711)
/// query.questions = [DNSQuestion(name: try DomainName(escaped: "_openclaw._tcp.local"), type: .ptr)]
/// let packet = query.encoded().bytes
///
/// let response = try DNSMessage(decoding: received)
/// for record in response.answers { print(record.name, record.type) }
/// ```
public struct DNSMessage: Hashable, Sendable {
    /// The id that leads from a response to its query. 0 in multicast DNS (RFC 6762 §18.1), except to and from a legacy
    /// querier (§6.7).
    public var id: UInt16

    /// Kind, flags and response code.
    public var flags: DNSFlags

    /// The questions; in an update, the zone.
    public var questions: [DNSQuestion]

    /// The answers; in a multicast DNS query, those already known (RFC 6762 §7.1).
    public var answers: [DNSRecord]

    /// Records of who has authority; in a multicast DNS probe, those that are claimed (RFC 6762 §8.2).
    public var authorities: [DNSRecord]

    /// The records that the answers may make necessary.
    public var additionals: [DNSRecord]

    public init(
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

    /// The records of a section.
    public subscript(section: DNSSection) -> [DNSRecord] {
        get {
            switch section {
            case .answers: answers
            case .authorities: authorities
            case .additionals: additionals
            }
        }
        set {
            switch section {
            case .answers: answers = newValue
            case .authorities: authorities = newValue
            case .additionals: additionals = newValue
            }
        }
    }
}

/// One of the three sections of a message that hold records, in their order (RFC 1035 §4.1).
///
/// In an update they are the prerequisites, the changes and what comes along (RFC 2136 §2); the zone is the question.
public enum DNSSection: Int, Hashable, Sendable, CaseIterable, Comparable {
    case answers
    case authorities
    case additionals

    public static func < (lhs: DNSSection, rhs: DNSSection) -> Bool { lhs.rawValue < rhs.rawValue }
}
