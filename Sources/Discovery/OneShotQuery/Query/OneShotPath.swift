internal import DNSSD

/// The state of a ``OneShotQuery`` on one interface and family.
struct OneShotPath {
    /// The interface with its addresses.
    var link: Link

    /// The ids of the questions that were asked here.
    var ids: QuestionIDs

    /// The question for the instances that was first asked here, and its repetitions.
    var firstQuestion: FirstQuestion

    /// The questions for the missing records of incomplete instances.
    var followUp = FollowUp()

    /// The answers that were cut, and the questions for the instances that did not fit into them.
    var cutAnswers = CutAnswers()

    /// The instances that are known here.
    var rows: [DomainName: OneShotRow] = [:]

    /// The hosts that are known here: those with an instance on them, and those whose addresses have come.
    private(set) var hosts: [DomainName: OneShotHost] = [:]

    /// The ledger of the instances that may be given up, by the source that brought them.
    var ledger = SourceLedger<DomainName, PacketSource>()

    /// The instances with changes that may have to be reported.
    private var changed: [DomainName] = []

    /// Indicates whether the question may still be asked by multicast here.
    var mayMulticast = false

    /// The time at which the instances were last asked for.
    var browsedAt: ContinuousClock.Instant

    /// The number of bytes of names and records that are kept here.
    var byteCount = 0

    /// The number of times that a record was not stored, since the numbers were last taken: for lack of room in total,
    /// and because its host had too many addresses.
    private var leftOut = (entries: 0, addresses: 0)

    /// - Parameter id: The number from which the ids count up.
    init(link: Link, id: UInt16, firstQuestion: FirstQuestion) {
        self.link = link
        self.ids = QuestionIDs(after: id)
        self.firstQuestion = firstQuestion
        self.browsedAt = firstQuestion.opened
    }

    /// The time at which something is due here.
    var deadline: ContinuousClock.Instant? {
        [cutAnswers.deadline, firstQuestion.deadline, followUp.deadline].compactMap(\.self).min()
    }

    /// Returns the id for the next questions.
    mutating func nextID() -> UInt16 { ids.next() }

    /// Indicates whether there is any instance that the backend does not confirm.
    var hasUnconfirmed: Bool { rows.values.contains { $0.isReported && !$0.isConfirmed } }

    /// The number of further checks in which this path is asked even if the backend confirms all its instances.
    var checksOwed = 0

    /// Indicates whether this path takes part in the next check.
    var wantsCheck: Bool { checksOwed > 0 || hasUnconfirmed }

    /// Records that an instance has moved to another host, or is on none any more.
    mutating func move(_ instance: DomainName, from old: DomainName?, to new: DomainName?) {
        if let old, hosts[old]?.instances.remove(instance) != nil {
            if let host = hosts[old], host.instances.isEmpty, host.addresses.isEmpty { hosts[old] = nil }
        }
        if let new { hosts[new, default: OneShotHost()].instances.insert(instance) }
    }

    /// Forgets the addresses of a host if no instance is on it any more, since nothing would keep them up to date.
    ///
    /// - Returns: The number of bytes that they took.
    mutating func forgetHost(_ name: DomainName?) -> Int {
        guard let name, hosts[name]?.instances.isEmpty == true else { return 0 }
        hosts[name] = nil
        return name.wire.count
    }

    /// Gives back the memory of instances and hosts that are gone.
    mutating func giveBackRoom() {
        rows.giveBackRoom()
        hosts.giveBackRoom()
    }

    /// Begins a check of the hosts: records from now on which of their addresses come.
    mutating func beginCheckOfHosts() {
        for host in hosts.keys { hosts[host]?.beginCheck() }
    }

    /// Ends the check of the hosts: removes addresses that they no longer have.
    mutating func endCheckOfHosts() {
        var affected: [DomainName] = []
        for host in hosts.keys where hosts[host]?.endCheck() == true { affected += hosts[host]?.instances ?? [] }
        for instance in affected.sorted() {
            if let row = rows.index(forKey: instance) { note(instance, row) }
        }
    }

    /// Forgets the addresses of hosts without an instance.
    ///
    /// - Returns: The number of bytes that they took.
    mutating func forgetHosts() -> Int {
        var bytes = 0
        for (name, host) in hosts where host.instances.isEmpty {
            hosts[name] = nil
            bytes += name.wire.count
        }
        return bytes
    }
}

// The methods that handle each record that comes in. All of them work in place, and are therefore mutating: a getter
// would copy a row, or the whole path, with everything in it.
extension OneShotPath {
    /// Adds a row for an instance that has none.
    ///
    /// - Parameter isProtected: Whether the instance must not be given up for lack of room.
    mutating func add(_ row: OneShotRow, for name: DomainName, isProtected: Bool) {
        if !isProtected { ledger.insert(name, from: row.source) }
        byteCount += name.wire.count
        firstQuestion.noteNewInstance()
        rows[name] = row
        changed.append(name)
    }

    /// Records that a PTR record points to an instance.
    ///
    /// - Returns: Whether there is a row for it.
    @discardableResult
    mutating func point(to name: DomainName) -> Bool {
        guard let row = rows.index(forKey: name) else { return false }
        guard rows.values[row].point() else { return true }
        followUp.noteNew()
        note(name, row)
        return true
    }

    /// Records the location of an instance, and the source that sent it.
    ///
    /// - Returns: Whether there is a row for it.
    @discardableResult
    mutating func place(_ name: DomainName, at location: SRVData, from source: IPAddress) -> Bool {
        guard let row = rows.index(forKey: name) else { return false }
        let change = rows.values[row].place(at: location)
        if rows.values[row].lacks(source) {
            let addresses = hosts[location.target]?.addresses ?? []
            rows.values[row].hear(from: source, addresses)
            // An additional source is reported with the next change, but the host itself as a source at once.
            if addresses.contains(source) { note(name, row) }
        }
        guard change.isNew else { return true }
        move(name, from: change.host, to: location.target)
        // Its new host may have come without an address, and nothing else would ask for one.
        if rows.values[row].isReported, change.host != location.target { askAgain(for: name) }
        note(name, row)
        return true
    }

    /// Stores the TXT record of an instance, unless it is longer than the present one by more than `room`.
    ///
    /// - Returns: The number of bytes by which it is longer; `nil` if there is no row for the instance.
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

    /// Adds an address of a host, within the given limits.
    ///
    /// - Returns: The number of bytes that it takes.
    mutating func add(
        _ address: IPAddress,
        to host: DomainName,
        limits: (addresses: Int, hosts: Int, bytes: Int)
    ) -> Int {
        let known = hosts.index(forKey: host)
        let isFirst = known.map { hosts.values[$0].addresses.isEmpty } ?? true
        // A host that no SRV record has named yet may be named by a packet that is still to come.
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
        for instance in (hosts[host]?.instances ?? []).sorted() {
            if let row = rows.index(forKey: instance) { note(instance, row) }
        }
        let bytes = isFirst ? host.wire.count : 0
        byteCount += bytes
        return bytes
    }

    /// Returns the number of times that a record was not stored since the last call: for lack of room in total, and
    /// because its host had too many addresses.
    mutating func takeLeftOut() -> (entries: Int, addresses: Int) {
        defer { leftOut = (0, 0) }
        return leftOut
    }

    /// Plans to ask for the missing records of an instance, as if it had just come.
    mutating func askAgain(for name: DomainName) {
        rows[name]?.rounds = 0
        rows[name]?.askedUntil = nil
        followUp.insert(name)
    }

    /// Indicates whether no address is known of the host that an instance is on.
    func lacksAddress(_ row: OneShotRow) -> Bool {
        guard let host = row.location?.target else { return true }
        return hosts[host]?.addresses.isEmpty ?? true
    }

    private mutating func note(_ name: DomainName, _ row: Dictionary<DomainName, OneShotRow>.Index) {
        if rows.values[row].noteChange() { changed.append(name) }
    }

    /// Returns the sightings to be reported, one for each instance that is complete and has changed.
    mutating func takeSightings(as path: ServicePath) -> [Sighting] {
        var sightings: [Sighting] = []
        for name in changed {
            guard let row = rows.index(forKey: name) else { continue }
            let taken = rows.values[row].takeSighting(on: path, hosts: hosts)
            if let sighting = taken.sighting {
                sightings.append(sighting)
                // Most instances come complete, and never were in this set.
                if !taken.isFirst { followUp.missing.remove(name) }
            } else if taken.isFirst {
                followUp.missing.insert(name)
            }
        }
        changed.removeAll(keepingCapacity: true)
        return sightings
    }
}
