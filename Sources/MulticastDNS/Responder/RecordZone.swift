internal import DNSMessages
internal import DNSSD

/// The records that are ours on one path, and what they answer.
struct RecordZone: Sendable {
    private var records: [DomainName: [DNSRecord]] = [:]

    /// Each record by what it says, whatever its TTL and cache-flush bit.
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

    /// Our record that says the same.
    func record(like other: DNSRecord) -> DNSRecord? {
        guard hasName(other.name) else { return nil }
        return table[Self.content(of: other)]
    }

    /// Indicates whether we have records of this name: then every question for it has an answer if it is ours alone,
    /// and some questions have one otherwise.
    func hasName(_ name: DomainName) -> Bool { records[name] != nil }

    /// Indicates whether we would answer with this very record.
    func contains(_ record: DNSRecord) -> Bool {
        (record.type == .nsec ? denial(record.name) : table[Self.content(of: record)]) == record
    }

    /// The answers to a question. For a name of ours that has no such record it is that there is none (RFC 6762 §6.1).
    func answers(to question: DNSQuestion) -> [DNSRecord] {
        let answers = records[question.name, default: []].filter { question.isAnswered(by: $0) }
        guard answers.isEmpty, question.dnsClass == .internet || question.dnsClass == .any,
            let denial = denial(question.name)
        else { return answers }
        return [denial]
    }

    /// Returns the records that whoever wants these will want next: the SRV and TXT records of an instance, the
    /// addresses of its host (RFC 6763 §12, RFC 6762 §6.2).
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
            // That a host has no address of a family saves the question for it.
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

    /// The name whose records come along with this one.
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
