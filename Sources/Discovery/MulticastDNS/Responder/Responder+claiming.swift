internal import DNSSD
internal import HostSystem

/// Probing and announcing (RFC 6762 §8).
extension Responder {
    /// The number of probes, and the time to wait for an answer to each (RFC 6762 §8.1).
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
        // In order, so that publications that are announced together are always reported in the same order.
        for id in publications.keys.sorted() where claims[.publication(id)]?.isAnnounced == true {
            guard let publication = publications[id], publication.successorOf == nil else { continue }
            publications[id]?.isSlowed = false
            report(id, .published(name: publication.name))
        }
        takeOverFromSuccessors()
    }

    /// The next step to take for one claim.
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
        // RFC 6762 §8.3: the first two are a second apart, and each further interval is twice as long.
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

    /// Finds the time of the next step of all claims.
    mutating func findClaimDeadline() {
        claimDeadline = claims.values.lazy.flatMap(\.phases.values).compactMap(\.deadline).min()
    }

    // MARK: Conflicts

    /// Gives up a name that we were about to claim, since it belongs to another host (RFC 6762 §8.1, §9), and tries the
    /// next one on every path.
    mutating func lose(_ key: ClaimKey) {
        counters.conflicts += 1
        let start = noteConflict(of: key)
        switch key {
        case .host:
            takeNextHostName()
        case .publication(let id):
            if let former = publications[id]?.successorOf {
                // The requested name is still taken, so that the publication keeps its present one.
                remove(id)
                noteOwnerOfWantedName(of: former)
                return
            }
            guard takeNextName(id) else { return }
            // Another publication of this process may have the next name, too.
            while publications[id]?.records.names.contains(where: { owners[$0] != key }) == true {
                guard takeNextName(id) else { return }
            }
        }
        claims[key]?.restart(at: start)
        invalidateAll()
        findClaimDeadline()
    }

    /// Records a conflict, and reports once if there are so many that each further try is delayed.
    ///
    /// - Returns: The time at which probing may begin again.
    private mutating func noteConflict(of key: ClaimKey, delay: Duration = .zero) -> ContinuousClock.Instant {
        guard let (start, isSlowed) = claims[key]?.noteConflict(now: now, delay: delay) else { return now }
        guard isSlowed else { return start }
        switch key {
        case .host:
            // No service of this host can be reached in the meantime.
            for id in publications.keys.sorted() { reportSlowed(id, host.requested.escaped) }
        case .publication(let id):
            if let publication = publications[id] { reportSlowed(id, publication.advertisement.name) }
        }
        return start
    }

    private mutating func reportSlowed(_ id: PublicationID, _ name: String) {
        publications[id]?.isSlowed = true
        report(id, .publishing(waitingFor: .namesTaken(name)))
    }

    /// Begins to probe again for a name of ours that another host uses; the name is lost if that host answers (RFC 6762
    /// §9).
    mutating func contest(_ key: ClaimKey, on path: ServicePath) {
        counters.conflicts += 1
        let start = noteConflict(of: key)
        setPhase(.probing(sent: 0, next: start), of: key, on: path)
    }

    /// Compares the records that a probe claims with our own (RFC 6762 §8.2), while we probe ourselves. If ours lose, we
    /// wait for a second and probe again: if the winner still claims the name, it answers then. Where the name is only
    /// a replacement for the requested one, the next is as good, and nothing is waited for.
    mutating func breakTies(_ packet: ResponderPacket) {
        let (message, path) = (packet.message, packet.path)
        var theirs: [ClaimKey: [DomainName: [DNSRecord]]] = [:]
        for record in message.authorities where record.dnsClass == .internet {
            // Who has not sent a probe yet is not one of those that probe at the same time.
            guard let key = owners[record.name], case .probing(sent: 1..., _) = claims[key]?.phases[path],
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
            guard isRequested(key) else {
                lose(key)
                continue
            }
            counters.conflicts += 1
            let start = noteConflict(of: key, delay: .seconds(1))
            setPhase(.probing(sent: 0, next: start), of: key, on: path)
            findClaimDeadline()
        }
    }

    /// Indicates whether a claim is to the name that was requested.
    private func isRequested(_ key: ClaimKey) -> Bool {
        switch key {
        case .host: host.isFirst
        case .publication(let id): publications[id].map { $0.name == $0.advertisement.name } ?? true
        }
    }

    /// Indicates whether records of a name of ours come from this host and are no conflict: records of the host's name,
    /// about which another responder of this host knows the same, or records that we published a moment ago.
    private func isHarmless(_ records: [DNSRecord], for key: ClaimKey, from source: IPAddress) -> Bool {
        guard isOwn(source) else { return false }
        return key == .host || records.allSatisfy { former.contains($0, now: now) }
    }

    /// Examines a record of a name of ours in a response, which may be a conflict.
    mutating func examine(_ record: DNSRecord, of key: ClaimKey, in packet: ResponderPacket) {
        let path = packet.path
        guard let phase = claims[key]?.phases[path], record.ttl > 0, record.type != .nsec,
            !isHarmless([record], for: key, from: packet.source.address)
        else { return }
        // Our own addresses are not another host's claim, whichever of our links they come from.
        if key == .host, let address = record.data.address(), isOwn(address) { return }
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
