internal import DNSMessages
internal import DNSSD

/// One port of a ``OneShotQuery``, on one interface and family, and what it has brought.
struct OneShotPath {
    /// The interface with its addresses.
    var link: Link

    /// The id of its latest questions: whoever answers must have seen one of them.
    private(set) var id: UInt16

    /// The number of the latest ids to which answers are still taken.
    private var ids: UInt16 = 0

    /// The instances that are known here.
    var rows: [DomainName: OneShotRow] = [:]

    /// The hosts that are known here: those that an instance is on, and those whose addresses have come.
    private(set) var hosts: [DomainName: OneShotHost] = [:]

    /// The instances that are incomplete, and may be asked for.
    var missing: Set<DomainName> = []

    /// Indicates whether some of the incomplete instances have not been looked at: those that were asked for have their
    /// time.
    var hasNewMissing = false

    /// The ledger of which source brought which of the instances that may be given up.
    var ledger = SourceLedger<DomainName, PacketSource>()

    /// The instances that something has come of that may have to be told.
    private var news: [DomainName] = []

    /// Indicates whether a host here cuts its answers: then little is asked for at a time.
    var isCut = false

    /// The names that were asked for where a cut answer has named new instances, the time at which the other instances
    /// are asked for, and how often that was.
    var cutNames: Set<DomainName> = []
    var restAt: ContinuousClock.Instant?
    var rests = 0

    /// Indicates whether the question may still be asked by multicast here.
    var mayMulticast = false

    /// The number of times that the first question has been repeated, the time of the next repetition, and the time of
    /// the last.
    var repetitions = 0
    var repeatAt: ContinuousClock.Instant?
    var repeatedAt: ContinuousClock.Instant?

    /// Indicates whether a repeated question has brought something new or could not be sent, or the socket has lost
    /// answers.
    var hasGap = false

    /// The times at which the first question was asked here, the instances were last asked for, and an answer last
    /// came.
    let opened: ContinuousClock.Instant
    var browsedAt: ContinuousClock.Instant
    var lastAnswer: ContinuousClock.Instant?

    /// The time at which incomplete instances are asked for next.
    var askAt: ContinuousClock.Instant?

    /// The time until which that can be put off.
    var askBy: ContinuousClock.Instant?

    /// The number of bytes of names and records that are kept here.
    var byteCount = 0

    /// The number of times that a record was not taken in, since that number was last taken: for lack of room in all,
    /// and because its host had too many addresses.
    private var leftOut = (entries: 0, addresses: 0)

    /// - Parameters:
    ///   - id: What the ids count up from.
    ///   - now: When it is first asked here.
    init(link: Link, id: UInt16, now: ContinuousClock.Instant) {
        self.link = link
        self.id = id
        self.opened = now
        self.browsedAt = now
    }

    /// The number of the latest questions to which answers are taken.
    private static let idsInUse: UInt16 = 32

    /// The id for more questions. The same bytes again within a second would be taken for a doubled packet by some
    /// responders, and not be answered.
    mutating func nextID() -> UInt16 {
        // 0 is what multicast questions have.
        id = id == .max ? 1 : id + 1
        ids = min(ids + 1, Self.idsInUse)
        return id
    }

    /// Indicates whether this is the id of one of the latest questions.
    func hasAsked(_ id: UInt16) -> Bool { self.id &- id < ids }

    /// Indicates whether something is known to be missing: a question was lost, or an answer to it.
    var lacksSomething: Bool {
        hasGap || isRepetitionLost || rows.values.contains { !$0.isTold && !$0.isConfirmed }
    }

    /// Indicates whether nobody has answered the repeated question, though somebody had answered before: it brought
    /// nothing new, and says nothing of what there is.
    private var isRepetitionLost: Bool {
        guard let repeatedAt, let lastAnswer else { return false }
        return lastAnswer < repeatedAt
    }

    /// Indicates whether there is any instance that the backend does not confirm.
    var hasUnconfirmed: Bool { rows.values.contains { $0.isTold && !$0.isConfirmed } }

    /// The number of checks in which this path is asked even if there is nothing that the backend does not confirm.
    var checksOwed = 0

    /// Indicates whether this path is asked in the next check.
    var wantsCheck: Bool { checksOwed > 0 || hasUnconfirmed }

    /// Notes that an instance is on another host, or on none.
    mutating func move(_ instance: DomainName, from old: DomainName?, to new: DomainName?) {
        if let old, hosts[old]?.guests.remove(instance) != nil {
            if let host = hosts[old], host.guests.isEmpty, host.addresses.isEmpty { hosts[old] = nil }
        }
        if let new { hosts[new, default: OneShotHost()].guests.insert(instance) }
    }

    /// Forgets the addresses of hosts that no instance is on.
    ///
    /// - Returns: How many bytes they took.
    mutating func forgetHosts() -> Int {
        var bytes = 0
        for (name, host) in hosts where host.guests.isEmpty {
            hosts[name] = nil
            bytes += name.wire.count
        }
        return bytes
    }
}

// What comes in, for each record. All of it in place, and therefore mutating: a getter would copy a row, or the whole path,
// with all that they hold.
extension OneShotPath {
    /// Adds a row for an instance that has none.
    ///
    /// - Parameter isKept: Whether it is not given up for lack of room.
    mutating func add(_ row: OneShotRow, for name: DomainName, isKept: Bool) {
        if !isKept { ledger.insert(name, from: row.source) }
        byteCount += name.wire.count
        // It was missed by the questions before.
        if repetitions > 0 { hasGap = true }
        rows[name] = row
        news.append(name)
    }

    /// Notes that a PTR record leads to an instance.
    ///
    /// - Returns: Whether there is a row for it.
    @discardableResult
    mutating func point(to name: DomainName) -> Bool {
        guard let row = rows.index(forKey: name) else { return false }
        guard rows.values[row].point() else { return true }
        hasNewMissing = true
        note(name, row)
        return true
    }

    /// Notes where an instance is, and who said so.
    ///
    /// - Returns: Whether there is a row for it.
    @discardableResult
    mutating func place(_ name: DomainName, at location: SRVData, from source: IPAddress) -> Bool {
        guard let row = rows.index(forKey: name) else { return false }
        let change = rows.values[row].place(at: location)
        if rows.values[row].lacks(source) {
            let addresses = hosts[location.target]?.addresses ?? []
            rows.values[row].hear(from: source, addresses)
            // That somebody else has said so is told with the next news; that the host itself has, at once.
            if addresses.contains(source) { note(name, row) }
        }
        guard change.isNew else { return true }
        move(name, from: change.host, to: location.target)
        note(name, row)
        return true
    }

    /// Notes the TXT record of an instance, if it is at most so much longer than what is there.
    ///
    /// - Returns: How much longer it is, in bytes; `nil` if there is no row for it.
    mutating func describe(_ name: DomainName, as text: [UInt8], room: Int) -> Int? {
        guard let row = rows.index(forKey: name) else { return nil }
        guard rows.values[row].growth(with: text) <= room else {
            leftOut.entries += 1
            return 0
        }
        guard let growth = rows.values[row].describe(as: text) else { return 0 }
        byteCount += growth
        note(name, row)
        return growth
    }

    /// Adds an address of a host, for which there may be so many bytes.
    ///
    /// - Returns: How many bytes it takes.
    mutating func add(
        _ address: IPAddress,
        to host: DomainName,
        limits: (addresses: Int, hosts: Int, bytes: Int)
    ) -> Int {
        let known = hosts.index(forKey: host)
        let isFirst = known.map { hosts.values[$0].addresses.isEmpty } ?? true
        // A host that nobody has named yet may be named by a packet that is still to come.
        guard !isFirst || host.wire.count <= limits.bytes, known != nil || hosts.count < limits.hosts else {
            leftOut.entries += 1
            return 0
        }
        switch hosts[host, default: OneShotHost()].add(address, limit: limits.addresses) {
        case .added: break
        case .known: return 0
        case .full:
            leftOut.addresses += 1
            return 0
        }
        for guest in hosts[host]?.guests ?? [] {
            if let row = rows.index(forKey: guest) { note(guest, row) }
        }
        let bytes = isFirst ? host.wire.count : 0
        byteCount += bytes
        return bytes
    }

    /// Returns how often a record was not taken in since the last call: for lack of room in all, and because its host
    /// had too many addresses.
    mutating func takeLeftOut() -> (entries: Int, addresses: Int) {
        defer { leftOut = (0, 0) }
        return leftOut
    }

    private mutating func note(_ name: DomainName, _ row: Dictionary<DomainName, OneShotRow>.Index) {
        if rows.values[row].noteNews() { news.append(name) }
    }

    /// Returns the sightings to be told, one for each instance that is complete and that something has come of.
    mutating func takeNews(as path: ServicePath) -> [Sighting] {
        var sightings: [Sighting] = []
        for name in news {
            guard let row = rows.index(forKey: name) else { continue }
            let news = rows.values[row].takeNews(on: path, hosts: hosts)
            if let sighting = news.sighting {
                sightings.append(sighting)
                // Most come whole, and never were in there.
                if !news.isFirst { missing.remove(name) }
            } else if news.isFirst {
                missing.insert(name)
            }
        }
        news.removeAll(keepingCapacity: true)
        return sightings
    }
}
