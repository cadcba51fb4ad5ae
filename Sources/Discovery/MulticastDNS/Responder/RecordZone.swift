internal import DNSSD

/// The records that are ours on one path, and the answers that they give.
struct RecordZone: Sendable {
    private var records: [DomainName: [DNSRecord]] = [:]

    /// The records by their content, without TTL and cache-flush bit.
    private var table: [DNSRecord: DNSRecord] = [:]

    /// The names that are ours alone.
    private var uniqueNames: Set<DomainName> = []

    mutating func insert(_ published: PublishedRecords) {
        uniqueNames.formUnion(published.names)
        for record in published.unique + published.shared {
            guard table.updateValue(record, forKey: Self.content(of: record)) == nil else { continue }
            records[record.name, default: []].append(record)
        }
    }

    /// Returns our record with the same content.
    func record(like other: DNSRecord) -> DNSRecord? {
        guard hasName(other.name) else { return nil }
        return table[Self.content(of: other)]
    }

    /// Indicates whether we have records of this name. If the name is ours alone, every question for it then has an
    /// answer; otherwise some questions have one.
    func hasName(_ name: DomainName) -> Bool { records[name] != nil }

    /// Indicates whether we would answer with exactly this record.
    func contains(_ record: DNSRecord) -> Bool {
        (record.type == .nsec ? denial(record.name) : table[Self.content(of: record)]) == record
    }

    /// Returns the answers to a question. If a name of ours has no such record, the answer is an NSEC record that
    /// denies it (RFC 6762 §6.1).
    func answers(to question: DNSQuestion) -> [DNSRecord] {
        let answers = records[question.name, default: []].filter { question.isAnswered(by: $0) }
        guard answers.isEmpty, question.dnsClass == .internet || question.dnsClass == .any,
            let denial = denial(question.name)
        else { return answers }
        return [denial]
    }

    /// Returns the records that the receiver of these answers will need next: the SRV and TXT records of an instance,
    /// the addresses of its host (RFC 6763 §12, RFC 6762 §6.2).
    func additionals(to answers: [DNSRecord]) -> [DNSRecord] {
        var seen = Set(answers)
        var additionals: [DNSRecord] = []
        var names = answers.compactMap(Self.next)
        var index = 0
        while index < names.count {
            let name = names[index]
            index += 1
            guard uniqueNames.contains(name) else { continue }
            for record in records[name, default: []] where seen.insert(record).inserted {
                additionals.append(record)
                if let next = Self.next(record), next != name { names.append(next) }
            }
            // The receiver need not ask for addresses of a family that the host is known to lack.
            let types = records[name, default: []].map(\.type)
            if types.contains(.a) != types.contains(.aaaa), let denial = denial(name), seen.insert(denial).inserted {
                additionals.append(denial)
            }
        }
        return additionals
    }

    /// Returns the NSEC record that says which types a name of ours has, and that it has no others (RFC 6762 §6.1).
    private func denial(_ name: DomainName) -> DNSRecord? {
        guard uniqueNames.contains(name) else { return nil }
        let data = NSECData(nextName: name, types: records[name, default: []].map(\.type))
        return DNSRecord(name: name, isCacheFlush: true, ttl: RecordTTL.host, data: .nsec(data))
    }

    /// Returns the name whose records accompany this one.
    private static func next(_ record: DNSRecord) -> DomainName? {
        switch record.data {
        case .ptr(let target): target
        case .srv(let location): location.target
        case .a, .aaaa: record.name
        default: nil
        }
    }

    private static func content(of record: DNSRecord) -> DNSRecord {
        var content = record
        content.ttl = 0
        content.isCacheFlush = false
        return content
    }
}
