internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// Probing and announcing (RFC 6762 §8).
extension Responder {
    /// The number of probes, and the time that each waits for an answer (RFC 6762 §8.1).
    private static let probes = (count: 3, interval: Duration.milliseconds(250))

    /// Sends the probes and announcements that are due, those of one path together.
    mutating func advanceClaims() {
        guard let deadline = claimDeadline, deadline <= now else { return }
        var probed: [ServicePath: [ClaimKey]] = [:]
        var announced: [ServicePath: [(key: ClaimKey, only: DNSRecordType?)]] = [:]
        for key in claims.keys.sorted() {
            for (path, phase) in claims[key]?.phases ?? [:] {
                switch advance(phase, of: key, on: path) {
                case .nothing: break
                case .probe: probed[path, default: []].append(key)
                case .announce(let only): announced[path, default: []].append((key, only))
                }
            }
        }
        findClaimDeadline()
        for path in probed.keys.sorted() { sendProbes(probed[path] ?? [], on: path) }
        for path in announced.keys.sorted() { announce(announced[path] ?? [], on: path) }
        // In order, so that what is announced together is always reported in the same order.
        for id in publications.keys.sorted() where claims[.publication(id)]?.isAnnounced == true {
            guard let publication = publications[id], publication.successorOf == nil else { continue }
            publications[id]?.isSlowed = false
            report(id, .published(name: publication.name))
        }
        takeOverFromSuccessors()
    }

    /// The step that is to be taken for one claim.
    private enum Step {
        case nothing
        case probe
        case announce(only: DNSRecordType?)
    }

    private mutating func advance(_ former: ClaimPhase, of key: ClaimKey, on path: ServicePath) -> Step {
        var phase = former
        if case .probing(let sent, let next) = phase, next <= now {
            guard sent >= Self.probes.count else {
                setPhase(.probing(sent: sent + 1, next: now + Self.probes.interval), of: key, on: path)
                return .probe
            }
            phase = .waiting
        }
        if phase == .waiting, key == .host || claims[.host]?.phases[path]?.isOurs == true {
            phase = .announcing(sent: 0, next: now, only: nil)
        }
        guard case .announcing(let sent, let next, let only) = phase, next <= now else {
            if phase != former { setPhase(phase, of: key, on: path) }
            return .nothing
        }
        // RFC 6762 §8.3: a second apart, and each further one after twice the time.
        let isLast = sent + 1 >= max(2, min(limits.announcements, 8))
        let later = now + .seconds(1 << min(sent, 7))
        setPhase(isLast ? .established : .announcing(sent: sent + 1, next: later, only: only), of: key, on: path)
        return .announce(only: only)
    }

    private mutating func sendProbes(_ keys: [ClaimKey], on path: ServicePath) {
        var claimed: [(name: DomainName, records: [DNSRecord])] = []
        for key in keys {
            guard let records = records(of: key, on: path) else { continue }
            for name in records.names { claimed.append((name, records.unique.filter { $0.name == name })) }
        }
        let limit = MulticastGroup.payload(path.family)
        send(ResponsePackets.probes(claimed, limit: limit), on: path)
    }

    private mutating func announce(_ announced: [(key: ClaimKey, only: DNSRecordType?)], on path: ServicePath) {
        var seen: Set<DNSRecord> = []
        var answers: [DNSRecord] = []
        for (key, only) in announced {
            guard let records = records(of: key, on: path) else { continue }
            for record in records.shared + records.unique where only == nil || record.type == only {
                if seen.insert(record).inserted { answers.append(record) }
            }
        }
        multicast(answers, on: path)
    }

    /// Looks for the next step of all claims.
    mutating func findClaimDeadline() {
        claimDeadline = claims.values.lazy.flatMap(\.phases.values).compactMap(\.deadline).min()
    }

    // MARK: Conflicts

    /// A name that we are about to claim is another's (RFC 6762 §8.1, §9): the next one is tried, everywhere.
    mutating func lose(_ key: ClaimKey) {
        counters.conflicts += 1
        let start = noteConflict(of: key)
        switch key {
        case .host:
            takeNextHostName()
        case .publication(let id):
            if let former = publications[id]?.successorOf {
                // The name that was wanted is still another's: the present one stays.
                remove(id)
                noteOwnerOfWantedName(of: former)
                return
            }
            guard takeNextName(id) else { return }
            // Another publication of this process may have this one as well.
            while publications[id]?.records.names.contains(where: { owners[$0] != key }) == true {
                guard takeNextName(id) else { return }
            }
        }
        claims[key]?.restart(at: start)
        invalidateAll()
        findClaimDeadline()
    }

    /// Notes a conflict, and tells once that there are so many that each further try waits.
    ///
    /// - Returns: When probing may begin again.
    private mutating func noteConflict(of key: ClaimKey, delay: Duration = .zero) -> ContinuousClock.Instant {
        guard let (start, isSlowed) = claims[key]?.noteConflict(now: now, delay: delay) else { return now }
        guard isSlowed else { return start }
        switch key {
        case .host:
            // Nothing of this host can be reached meanwhile.
            for id in publications.keys.sorted() { reportSlowed(id, host.name.escaped) }
        case .publication(let id):
            if let publication = publications[id] { reportSlowed(id, publication.advertisement.name) }
        }
        return start
    }

    private mutating func reportSlowed(_ id: PublicationID, _ name: String) {
        publications[id]?.isSlowed = true
        report(id, .publishing(waitingFor: .namesTaken(name)))
    }

    /// Somebody else uses a name of ours: it is probed for again, and lost if he answers (RFC 6762 §9).
    mutating func contest(_ key: ClaimKey, on path: ServicePath) {
        counters.conflicts += 1
        let start = noteConflict(of: key)
        setPhase(.probing(sent: 0, next: start), of: key, on: path)
    }

    /// Compares what a probe claims with what we claim (RFC 6762 §8.2). Who loses waits for a second and probes again: if
    /// the winner goes on, he answers then.
    mutating func breakTies(_ packet: ResponderPacket) {
        let (message, path) = (packet.message, packet.path)
        var theirs: [ClaimKey: [DomainName: [DNSRecord]]] = [:]
        for record in message.authorities where record.dnsClass == .internet {
            guard let key = owners[record.name], case .probing = claims[key]?.phases[path],
                message.questions.contains(where: { $0.name == record.name })
            else { continue }
            theirs[key, default: [:]][record.name, default: []].append(record)
        }
        for key in theirs.keys.sorted() {
            guard let claimed = theirs[key], let ours = records(of: key, on: path),
                !isHarmless(claimed.values.flatMap { $0 }, for: key, from: packet.source.address),
                claimed.contains(where: { name, records in
                    TieBreak.compare(ours.unique.filter { $0.name == name }, records) < 0
                })
            else { continue }
            counters.conflicts += 1
            let start = noteConflict(of: key, delay: .seconds(1))
            setPhase(.probing(sent: 0, next: start), of: key, on: path)
            findClaimDeadline()
        }
    }

    /// Indicates whether records of a name of ours come from this very host and are no conflict: those of the host's
    /// name, of which another responder of this host knows what we know, or those that we published a moment ago.
    private func isHarmless(_ records: [DNSRecord], for key: ClaimKey, from source: IPAddress) -> Bool {
        guard isOwn(source) else { return false }
        return key == .host || records.allSatisfy { former.contains($0, now: now) }
    }

    /// Looks at a record of a name of ours in a response.
    mutating func examine(_ record: DNSRecord, of key: ClaimKey, in packet: ResponderPacket) {
        let path = packet.path
        guard let phase = claims[key]?.phases[path], record.ttl > 0, record.type != .nsec,
            !isHarmless([record], for: key, from: packet.source.address)
        else { return }
        if key == .host {
            // Our own addresses are no claim of another, from whichever of our links they come.
            switch record.data {
            case .a(let bits) where isOwn(.v4(IPv4Address(bits: bits))): return
            case .aaaa(let bits) where isOwn(.v6(IPv6Address(bits: bits))): return
            default: break
            }
        }
        switch phase {
        case .probing:
            lose(key)
        case .waiting, .announcing, .established:
            guard
                records(of: key, on: path)?.unique.contains(where: { $0.name == record.name && $0.type == record.type })
                    == true
            else { return }
            contest(key, on: path)
        }
    }
}
