internal import DNSSD

/// Receiving messages from the link.
extension Querier {
    /// Handles a message.
    mutating func receive(
        _ received: DNSReceivedMessage,
        from origin: Origin,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        self.now = now
        let message = received.message
        // RFC 6762 §18.3, §18.11: messages of another kind are ignored.
        guard message.flags.opcode == .query, message.flags.responseCode == .noError else { return }
        guard message.flags.isResponse else {
            // What the other host knows is learned from all its known answers, or not at all.
            if !origin.isOwn, received.skipped.answers == 0 { observe(message) }
            return
        }
        // PTR records are handled before the records of the instances that they list, wherever in the message they are,
        // and SRV records before addresses.
        for record in message.answers { takePointer(record, origin, using: &random) }
        for record in message.additionals { takePointer(record, origin, using: &random) }
        for record in message.answers { takeInstanceRecord(record, origin, using: &random) }
        for record in message.additionals { takeInstanceRecord(record, origin, using: &random) }
        for record in message.answers { takeHostRecord(record, origin, using: &random) }
        for record in message.additionals { takeHostRecord(record, origin, using: &random) }
    }

    /// Handles an answer that came to a port of our own. Its records have a TTL of at most ten seconds (RFC 6762 §6.7),
    /// so those that are known already, and for longer, are left unchanged.
    mutating func receiveLegacy(
        _ message: DNSMessage,
        from origin: Origin,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        var newRecords = message
        newRecords.answers.removeAll { cache.holds($0.data, for: RecordKey($0.name, $0.type)) }
        newRecords.additionals.removeAll { cache.holds($0.data, for: RecordKey($0.name, $0.type)) }
        receive(DNSReceivedMessage(newRecords), from: origin, now: now, using: &random)
    }

    private mutating func takePointer(
        _ record: DNSRecord,
        _ origin: Origin,
        using random: inout some RandomNumberGenerator
    ) {
        guard case .ptr(let target) = record.data, record.dnsClass == .internet, let listed = names[record.name] else {
            return
        }
        var record = record
        // One array for all records of the name.
        if let name = listed.listing.first { record.name = name }
        if instances[target]?.listings.contains(record.name) != true {
            guard record.ttl > 0 else { return }
            guard let instance = listed.instance(target) else {
                warn(
                    BackendWarning(
                        .invalidRecord,
                        """
                        A service of type \(listed.type) on \(path) is left out: its name \(DisplayText(target.escaped)) is no UTF-8, or not \
                        below its type. Whoever publishes it must correct it.
                        """
                    )
                )
                return
            }
            guard makeRoom(for: origin.source, using: &random) else { return }
            if instances[target] == nil {
                instances[target] = ListedInstance(
                    instance: instance,
                    source: origin.source,
                    listings: listed.listing
                )
                reports.turnover.append(.came(target))
                enter(target)
                lastFound = now
            } else {
                instances[target]?.listings.append(record.name)
            }
            reviews.instances.insert(target)
        }
        _ = cache.receive(
            record,
            from: origin.source,
            limit: .max,
            now: now,
            using: &random
        )
    }

    private mutating func takeInstanceRecord(
        _ record: DNSRecord,
        _ origin: Origin,
        using random: inout some RandomNumberGenerator
    ) {
        switch record.type {
        case .srv, .txt: break
        default: return
        }
        guard record.dnsClass == .internet, instances[record.name] != nil else { return }
        guard !isFull || makeRoom(for: origin.source, using: &random) else { return }
        let outcome = keep(record, from: origin.source, limit: limits.recordsPerInstance, using: &random)
        if case .srv(let location) = record.data, record.ttl > 0 { hear(location, of: record.name, from: origin) }
        switch outcome {
        case .added, .leaving:
            reviews.instances.insert(record.name)
            if record.type == .srv { relink(record.name) }
        case .refreshed, .ignored: break
        }
    }

    /// Records the address that sent an SRV record.
    private mutating func hear(_ location: SRVData, of name: DomainName, from origin: Origin) {
        guard let entry = instances[name] else { return }
        let isSame = entry.location == location
        // Nearly always nothing is new.
        if isSame, entry.heardFrom.contains(origin.address), entry.isOwn || !origin.isOfThisHost { return }
        var sources = isSame ? entry.heardFrom : []
        if sources.isEmpty {
            // Whoever sends for very many sends them one after the other: they share the array.
            if lastSender != [origin.address] { lastSender = [origin.address] }
            sources = lastSender
        } else {
            let addresses = addresses(of: location.target)
            Sighting.add(origin.address, to: &sources) { addresses.contains($0) }
        }
        instances[name]?.location = location
        instances[name]?.heardFrom = sources
        instances[name]?.isOwn = origin.isOfThisHost || isSame && entry.isOwn
        reviews.instances.insert(name)
    }

    private mutating func takeHostRecord(
        _ record: DNSRecord,
        _ origin: Origin,
        using random: inout some RandomNumberGenerator
    ) {
        switch record.type {
        case .a, .aaaa, .nsec: break
        default: return
        }
        guard record.dnsClass == .internet, hosts[record.name] != nil else { return }
        if case .nsec(let nsec) = record.data {
            // RFC 6762 §6.1: types that the host does not have need not be asked for.
            guard nsec.nextName == record.name else { return }
            for type in [DNSRecordType.a, .aaaa] where !nsec.contains(type) {
                hosts[record.name]?.lacks.insert(type)
                questions[RecordKey(record.name, type)] = nil
            }
            return
        }
        guard !isFull || makeRoom(for: origin.source, using: &random) else { return }
        let outcome = keep(record, from: origin.source, limit: limits.addressesPerHost, using: &random)
        guard outcome == .added else { return }
        hosts[record.name]?.lacks.remove(record.type)
        reviews.hosts.insert(record.name)
    }

    // MARK: Room

    private mutating func keep(
        _ record: DNSRecord,
        from source: PacketSource,
        limit: Int,
        using random: inout some RandomNumberGenerator
    ) -> RecordCache.Outcome {
        let replaced = cache.replaced
        let outcome = cache.receive(record, from: source, limit: limit, now: now, using: &random)
        if cache.replaced != replaced {
            reports.leftOut += 1
            warn(.tooManyRecords(on: path, limit: limit))
        }
        return outcome
    }

    private var isFull: Bool { cache.count >= limits.records || cache.bytes >= limits.bytes }

    /// Makes room for one more instance or record.
    ///
    /// - Returns: Whether there is room: not if the source itself has brought the most.
    private mutating func makeRoom(for source: PacketSource, using random: inout some RandomNumberGenerator) -> Bool {
        while isFull || instances.count >= limits.instances {
            noteLeftOut()
            guard ledger.count(of: source) < ledger.highestCount, let victim = ledger.newestOfHighest(using: &random)
            else { return false }
            drop(victim, .withdrawn)
        }
        return true
    }

    /// Gives up the newest instance of the source that has brought the most, since there are too many on all links
    /// together.
    ///
    /// - Returns: Whether there was one.
    mutating func giveUpOne(using random: inout some RandomNumberGenerator) -> Bool {
        guard let victim = ledger.newestOfHighest(using: &random) else { return false }
        noteLeftOut()
        drop(victim, .withdrawn)
        return true
    }

    private mutating func noteLeftOut() {
        reports.leftOut += 1
        warn(.tooManyInstances(limit: limits.instances))
    }

    // MARK: Instances and hosts

    /// Records that a name no longer lists an instance.
    mutating func unlist(_ target: DomainName, from name: DomainName) {
        instances[target]?.listings.removeAll { $0 == name }
        if instances[target]?.listings.isEmpty == true {
            drop(target, .withdrawn)
        } else {
            reviews.instances.insert(target)
        }
    }

    /// Forgets an instance, and reports that it has vanished if it had been reported.
    mutating func drop(_ name: DomainName, _ reason: LossReason) {
        guard let entry = instances.removeValue(forKey: name) else { return }
        reports.turnover.append(.went(name))
        if entry.reported != nil { reports.events.append(.vanished(entry.instance, path, reason, entry.listeners)) }
        for listing in entry.listings { cache.remove(.ptr(name), for: RecordKey(listing, .ptr)) }
        for type in [DNSRecordType.srv, .txt] {
            cache.removeAll(for: RecordKey(name, type))
            questions[RecordKey(name, type)] = nil
        }
        ledger.remove(name)
        reviews.instances.remove(name)
        if let host = entry.host { unlink(name, from: host) }
    }

    /// Assigns an instance to the host that its SRV record points to.
    mutating func relink(_ name: DomainName) {
        var host: DomainName?
        if case .srv(let srv) = cache.current(RecordKey(name, .srv))?.data { host = srv.target }
        let before = instances[name]?.host
        guard host != before else { return }
        instances[name]?.host = host
        if let host { hosts[host, default: QuerierHost()].instances.insert(name) }
        if let before { unlink(name, from: before) }
    }

    private mutating func unlink(_ name: DomainName, from host: DomainName) {
        hosts[host]?.instances.remove(name)
        guard hosts[host]?.instances.isEmpty == true else { return }
        hosts[host] = nil
        reviews.hosts.remove(host)
        for type in [DNSRecordType.a, .aaaa] {
            cache.removeAll(for: RecordKey(host, type))
            questions[RecordKey(host, type)] = nil
        }
    }
}
