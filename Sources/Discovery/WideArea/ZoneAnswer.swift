internal import DNSSD

/// A question to a zone: a name, and the type of the records that are wanted.
struct ZoneQuestion: Hashable, Sendable {
    let name: DomainName
    let type: DNSRecordType
}

/// The answer of a server, as far as it concerns one question. A value.
struct ZoneAnswer {
    /// The finding of an answer.
    enum Finding: Hashable {
        /// The records of the name.
        case records([DNSRecordData])

        /// There is no such name, or no such record of it.
        case none

        /// The name is another one, of which the answer has nothing.
        case alias(DomainName)

        /// The server cannot answer this question, for this reason.
        case useless(String)

        /// The server does not know EDNS.
        case withoutEDNS
    }

    /// The number of aliases that are followed in a row.
    static let mostAliases = 8

    /// The bounds of the times for which something is kept.
    private static let shortestLifetime = UInt32(1)
    private static let (longestLifetime, longestAbsence, usualAbsence) = (UInt32(86_400), UInt32(3_600), UInt32(60))

    let finding: Finding

    /// The time for which it holds.
    let lifetime: Duration

    /// The records of other names, by name and type, and the time for which they hold.
    private(set) var others: [ZoneQuestion: (records: [DNSRecordData], lifetime: Duration)] = [:]

    /// Reads a message.
    ///
    /// - Parameter usedEDNS: Indicates whether the question had an OPT record.
    init(_ message: DNSMessage, to question: ZoneQuestion, usedEDNS: Bool) {
        var name = question.name
        var ttl = UInt32.max
        var found: [DNSRecordData] = []
        for _ in 0...Self.mostAliases {
            let own = message.answers.filter { $0.dnsClass == .internet && $0.name == name }
            let records = own.filter { $0.type == question.type }
            for record in records { ttl = min(ttl, record.ttl) }
            found = records.map(\.data)
            let alias = own.first { $0.type == .cname }
            guard records.isEmpty, let alias, case .cname(let target) = alias.data else { break }
            ttl = min(ttl, alias.ttl)
            name = target
        }
        let soa = message.authorities.first { $0.type == .soa }
        let finding: Finding =
            switch message.flags.responseCode.rawValue {
            case 0 where !found.isEmpty: .records(found)
            case 3: .none
            case 0 where name != question.name && soa == nil: .alias(name)
            // Neither its own zone, nor asked for by it: it only says whom else to ask.
            case 0 where soa == nil && !message.flags.isAuthoritative && !message.flags.isRecursionAvailable:
                .useless("does not serve this domain")
            case 0: .none
            case 1, 4: usedEDNS ? .withoutEDNS : .useless("does not understand the question")
            case 2: .useless("cannot answer at the moment (SERVFAIL)")
            case 5: .useless("refuses the question (REFUSED)")
            case let code: .useless("answers with error \(code)")
            }
        if finding == .none { ttl = min(ttl, Self.absence(soa)) }
        self.finding = finding
        lifetime = .seconds(min(max(ttl, Self.shortestLifetime), Self.longestLifetime))
        for record in message.answers + message.additionals where record.dnsClass == .internet {
            guard [.srv, .txt, .a, .aaaa].contains(record.type), record.name != name || record.type != question.type
            else { continue }
            let lifetime = Duration.seconds(min(max(record.ttl, Self.shortestLifetime), Self.longestLifetime))
            let key = ZoneQuestion(name: record.name, type: record.type)
            var other = others[key] ?? ([], lifetime)
            other.records.append(record.data)
            other.lifetime = min(other.lifetime, lifetime)
            others[key] = other
        }
    }

    /// The number of seconds for which there is nothing (RFC 2308 §5).
    private static func absence(_ record: DNSRecord?) -> UInt32 {
        guard let record, case .soa(let soa) = record.data else { return usualAbsence }
        return min(max(min(record.ttl, soa.minimum), shortestLifetime), longestAbsence)
    }
}

extension DNSFlags {
    /// RD: the server is to ask others, if it must.
    fileprivate static let recursionDesired: UInt16 = 0x0100

    /// The flags of a question to a server.
    static let recursiveQuery = DNSFlags(rawValue: recursionDesired)

    /// AA: the server has the zone.
    fileprivate var isAuthoritative: Bool { rawValue & 0x0400 != 0 }

    /// RA: the server asks others.
    fileprivate var isRecursionAvailable: Bool { rawValue & 0x0080 != 0 }
}
