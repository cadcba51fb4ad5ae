internal import DNSSD

/// A host with some services that answers legacy queries as Avahi 0.8 does.
///
/// Its answer begins with the record that was asked for last, puts the additional records of a record right after it
/// unless they were asked for anyway, and leaves out each record that does not fit into 512 bytes.
struct CuttingResponder {
    private let records: [DNSRecord]

    init(_ names: [String]) throws {
        let text = [UInt8](repeating: 97, count: 100)
        records =
            try names.flatMap { name in
                [
                    try OneShotHarness.pointer(name), try OneShotHarness.location(name),
                    try OneShotHarness.text(name, [100] + text),
                ]
            } + [OneShotHarness.address()]
    }

    func answer(_ query: DNSMessage) -> DNSMessage {
        var waiting: [DNSRecord] = []
        var seen: Set<DNSRecord> = []
        func push(_ record: DNSRecord) {
            if seen.insert(record).inserted { waiting.append(record) }
        }
        for question in query.questions {
            for record in records where record.name == question.name {
                if question.type == .any || question.type == record.type { push(record) }
            }
        }
        var answer = DNSMessage(id: query.id, flags: .authoritativeResponse, questions: query.questions)
        while let record = waiting.popLast() {
            for other in records where belongs(other, to: record) { push(other) }
            var longer = answer
            longer.answers.append(record)
            if longer.encoded().bytes.count <= 512 { answer = longer }
        }
        return answer
    }

    private func belongs(_ other: DNSRecord, to record: DNSRecord) -> Bool {
        switch record.data {
        case .ptr(let instance): other.name == instance
        case .srv(let location): other.name == location.target
        default: false
        }
    }
}
