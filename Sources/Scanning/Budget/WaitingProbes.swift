/// The probes that wait at one address, in a queue for each standing.
///
/// In a flood of forged services each has an address of its own, at which one probe waits: there are no queues until
/// another one comes.
struct WaitingProbes: Sendable {
    private var only: ProbeBudget.Entry?
    private var queues: [TurnQueue<ProbeBudget.Entry>] = []

    /// A bit for each standing whose next turn is that of the newest entry, while there are no queues.
    private var takesNewest: UInt8 = 0

    var count: Int { only == nil ? queues.reduce(0) { $0 + $1.count } : 1 }

    mutating func append(_ entry: ProbeBudget.Entry) {
        if queues.isEmpty {
            guard let first = only else {
                only = entry
                return
            }
            only = nil
            queues = ProbeStanding.allCases.map { TurnQueue(takesNewest: takesNewest & $0.bit != 0) }
            queues[first.standing.rawValue].append(first, host: first.host)
        }
        queues[entry.standing.rawValue].append(entry, host: entry.host)
    }

    /// Removes and returns the next entry of a standing.
    mutating func popFirst(_ standing: ProbeStanding) -> ProbeBudget.Entry? {
        guard queues.isEmpty else { return queues[standing.rawValue].popFirst() }
        guard let entry = only, entry.standing == standing else { return nil }
        only = nil
        takesNewest ^= standing.bit
        return entry
    }

    /// Puts back the entry that was taken last.
    mutating func putBack(_ entry: ProbeBudget.Entry) {
        guard queues.isEmpty else { return queues[entry.standing.rawValue].putBack(entry, host: entry.host) }
        only = entry
        takesNewest ^= entry.standing.bit
    }

    /// Removes all entries, with their memory. Whose turn it is stays.
    mutating func removeAll() {
        only = nil
        for index in queues.indices { queues[index] = TurnQueue(takesNewest: queues[index].takesNewest) }
    }

    /// Removes the entries that are no longer wanted.
    mutating func removeAll(where isUnwanted: (ProbeBudget.Entry) -> Bool) {
        if let entry = only, isUnwanted(entry) { only = nil }
        for index in queues.indices { queues[index].removeAll(where: isUnwanted) }
    }
}

extension ProbeStanding {
    fileprivate var bit: UInt8 { 1 << UInt8(rawValue) }
}
