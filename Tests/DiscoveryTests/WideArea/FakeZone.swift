import DNSSD

@testable import Discovery

/// A zone of a server that does as RFC 2136 says, in memory.
struct FakeZone {
    private var byName: [DomainName: [DNSRecord]] = [:]

    var records: [DNSRecord] { byName.values.flatMap(\.self) }

    /// The reason why nothing works; `nil` while everything does.
    var problem: UpdateProblem?

    /// The maximum number of records of one name and type, as BIND has it.
    var mostOfOneType = Int.max

    /// The updates that were made.
    private(set) var updates: [ZoneUpdate] = []

    /// Adds what an administrator wrote.
    mutating func add(_ record: DNSRecord) { byName[record.name, default: []].append(record) }

    /// Lets a publisher work until it rests.
    ///
    /// - Returns: What it told.
    mutating func serve(
        _ publisher: inout ZonePublisher,
        now: ContinuousClock.Instant,
        time: UInt64
    ) -> [(id: Int, state: PublicationState)] {
        var reports: [(id: Int, state: PublicationState)] = []
        for _ in 0..<2_000 {
            let step = publisher.next(now: now, time: time)
            guard let result = result(ofOne: step) else { break }
            publisher.receive(result, now: now, time: time)
            reports += publisher.takeReports()
        }
        return reports + publisher.takeReports()
    }

    /// Carries a step out; `nil` if there is nothing to do.
    mutating func result(ofOne step: ZoneStep) -> ZoneResult? {
        if case .rest = step { return nil }
        if let problem { return .failed(problem) }
        switch step {
        case .rest: return nil
        case .ask(let questions):
            return .answers(
                questions.map { question in
                    DNSMessage(answers: byName[question.name, default: []].filter { question.isAnswered(by: $0) })
                }
            )
        case .update(let update, _): return result(of: update)
        }
    }

    private mutating func result(of update: ZoneUpdate) -> ZoneResult {
        for guarded in update.guards where guarded.dnsClass == .none {
            let isFree = !byName[guarded.name, default: []].contains { [.any, $0.type].contains(guarded.type) }
            guard isFree else { return .failed(.refused(guarded.type == .any ? .nameExists : .recordsExist)) }
        }
        for guarded in update.guards where guarded.dnsClass == .internet {
            let found = byName[guarded.name, default: []].filter { $0.type == guarded.type }
            guard found.map(\.data) == [guarded.data] else { return .failed(.refused(.recordsMissing)) }
        }
        var changed = byName
        for change in update.changes {
            var records = changed.removeValue(forKey: change.name) ?? []
            records.removeAll { record in
                let isOfType = [.any, record.type].contains(change.type)
                return change.dnsClass == .any ? isOfType : record.data == change.data
            }
            if change.dnsClass == .internet {
                guard records.count(where: { $0.type == change.type }) < mostOfOneType else {
                    return .failed(.refused(.serverFailure))
                }
                records.append(change)
            }
            changed[change.name] = records.isEmpty ? nil : records
        }
        byName = changed
        updates.append(update)
        return .updated
    }
}
