internal import DNSSD

/// The next thing to do.
extension ZonePublisher {
    /// Decides what to do next. Nothing may be under way.
    ///
    /// - Parameters:
    ///   - now: The time by which is waited.
    ///   - time: The time in seconds since 1970, by which leases end.
    mutating func next(now: ContinuousClock.Instant, time: UInt64) -> ZoneStep {
        if let retry, now < retry { return .rest(until: retry) }
        if let step = look() ?? change(now, time) ?? tidy() ?? point(now) ?? sweep(now, time) { return step }
        let times =
            entries.values.flatMap { [$0.renewal, $0.pause] } + [entries.isEmpty ? nil : sweep.due, pointerRetry]
        return .rest(until: times.compactMap { $0 }.filter { now < $0 }.min())
    }

    private mutating func look() -> ZoneStep? {
        var looks: [(id: Int, instances: [DomainName])] = []
        for id in entries.keys.sorted() where looks.count < Self.mostLooks {
            guard let entry = entries[id], entry.mustLook, let records = entry.records ?? entry.placed else { continue }
            looks.append((id, records.instances.map(\.name)))
        }
        guard !looks.isEmpty else { return nil }
        flight = .looks(looks)
        return .ask(
            looks.flatMap(\.instances).flatMap { instance in
                [
                    DNSQuestion(name: (try? ZoneNames.lease(of: instance)) ?? instance, type: .txt),
                    DNSQuestion(name: instance, type: .any),
                ]
            }
        )
    }

    private mutating func change(_ now: ContinuousClock.Instant, _ time: UInt64) -> ZoneStep? {
        var pieces: [Piece] = []
        var length = 0
        for id in entries.keys.sorted() where pieces.count < most {
            guard let piece = piece(id, now, time) else { continue }
            // Beside its own, it has those of its host.
            length += piece.update.length + 64 * (2 + (piece.placed?.addresses.count ?? 0))
            guard length <= Self.mostBytes || pieces.isEmpty else { break }
            pieces.append(piece)
        }
        guard !pieces.isEmpty else { return nil }
        flight = .pieces(pieces)
        var update = ZoneUpdate()
        for piece in pieces {
            update.guards += piece.update.guards
            update.changes += piece.update.changes
        }
        let addresses = addressesByHost(with: pieces)
        for host in pieces.reduce(into: Set<String>(), { $0.formUnion($1.hosts) }).sorted() {
            guard let name = try? names.host(host) else { continue }
            update.changes += [.deletion(of: name, .a), .deletion(of: name, .aaaa)] + addresses[host, default: []]
        }
        return .update(update, domain: names.domain)
    }

    /// Returns the addresses that hosts are to have, each once: all that the services at a host have.
    private func addressesByHost(with pieces: [Piece]) -> [String: [DNSRecord]] {
        var hosts: [String: [DNSRecord]] = [:]
        let leaving = Set(pieces.filter { $0.placed == nil }.map(\.id))
        let staying = entries.filter { !leaving.contains($0.key) && $0.value.wanted != nil }.values.compactMap(\.placed)
        for records in pieces.compactMap(\.placed) + staying {
            for address in records.addresses where !hosts[records.host, default: []].contains(address) {
                hosts[records.host, default: []].append(address)
            }
        }
        return hosts
    }

    /// Returns the part of a service in the next update; `nil` if there is nothing to change.
    private func piece(_ id: Int, _ now: ContinuousClock.Instant, _ time: UInt64) -> Piece? {
        guard let entry = entries[id], !entry.mustLook, entry.pause.map({ $0 <= now }) != false else { return nil }
        var piece = Piece(id: id, name: entry.name)
        guard entry.wanted != nil else {
            remove(entry.leases, into: &piece)
            return piece
        }
        guard let records = entry.records, let leases = try? records.leases(of: owner, until: time + Self.leaseTime)
        else {
            return nil
        }
        if records == entry.placed {
            guard let renewal = entry.renewal, renewal <= now else { return nil }
            piece.update.guards = entry.leases.values.map(\.asPrerequisite)
            piece.update.changes = leases.map { .deletion(of: $0.name) } + leases
        } else {
            remove(entry.leases, into: &piece)
            for (instance, lease) in zip(records.instances, leases) where entry.leases[lease.name] == nil {
                piece.update.guards += [.unused(instance.name), .unused(lease.name)]
            }
            piece.update.changes += records.unique + records.shared + leases
        }
        piece.placed = records
        piece.leases = leases
        piece.hosts.insert(records.host)
        return piece
    }

    /// Removes what is leased.
    private func remove(_ leases: [DomainName: DNSRecord], into piece: inout Piece) {
        for (name, record) in leases {
            guard let lease = ZoneLease(record.data), let instance = name.parent else { continue }
            let isOwn = lease.owner == owner
            let removal = lease.removal(of: instance, record, in: names, keepsHost: isOwn)
            piece.update.guards += removal.guards
            piece.update.changes += removal.changes
            if isOwn, lease.host.hasSuffix("-\(owner)") { piece.hosts.insert(lease.host) }
        }
    }

    /// Removes a type from the list of types, if it has no instances.
    private mutating func tidy() -> ZoneStep? {
        let used = Set(entries.values.flatMap { ($0.placed ?? $0.records)?.instances.compactMap(\.name.parent) ?? [] })
        emptied.subtract(used)
        guard let type = emptied.min() else { return nil }
        flight = .tidying(type)
        var update = ZoneUpdate()
        update.guards = [.unused(type, .ptr)]
        update.changes = [DNSRecord(name: names.types, ttl: 0, data: .ptr(type)).asDeletion]
        return .update(update, domain: names.domain)
    }

    /// Points to the domain from the one above once it has services, and no more once it has none.
    private mutating func point(_ now: ContinuousClock.Instant) -> ZoneStep? {
        guard let pointer, pointerRetry.map({ $0 <= now }) != false else { return nil }
        var update = ZoneUpdate()
        switch pointing {
        case .absent:
            guard entries.values.contains(where: { $0.placed != nil }) else { return nil }
            update.changes = [pointer]
        case .present:
            guard entries.isEmpty else { return nil }
            flight = .emptiness
            return .ask([DNSQuestion(name: names.types, type: .ptr)])
        case .superfluous: update.changes = [pointer.asDeletion]
        }
        flight = .pointer
        return .update(update, domain: names.domain.parent ?? names.domain)
    }

    private mutating func sweep(_ now: ContinuousClock.Instant, _ time: UInt64) -> ZoneStep? {
        guard !entries.isEmpty else { return nil }
        let own = Set(entries.values.flatMap { $0.placed?.instances.map(\.name) ?? [] })
        guard let step = sweep.next(in: names, except: own, now, time) else { return nil }
        flight = .sweep
        return step
    }
}
