internal import DNSMessages
package import DNSSD

/// What comes in.
extension OneShotQuery {
    /// Takes a packet in. What is not an answer to one of our questions, from the link itself, is left alone.
    package mutating func receive(_ packet: OneShotPacket, on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        guard let message = answer(packet, on: path), paths[path]?.hasAsked(message.id) == true else { return }

        // Avahi cuts what it sends to a port that is not 5353 at 512 bytes, whole records at a time, and does not say so.
        if message.flags.isTruncated || (420...512).contains(packet.bytes.count) { noteCut(on: path) }
        paths[path]?.lastAnswer = now
        take(message, from: PacketSource(packet.source), on: path)
    }

    private mutating func noteCut(on path: ServicePath) {
        guard let state = paths[path], !state.isCut else { return }
        paths[path]?.isCut = true
        // Whoever answers late is not waited for: by then the backend has asked.
        guard state.mayMulticast, now < state.opened + configuration.hearingTime else { return }
        if isBackendReady { multicastAt = now }
    }

    /// Takes in a packet that was sent to the group, by whoever asked.
    package mutating func hear(_ packet: OneShotPacket, on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        guard hearUntil != nil, let message = answer(packet, on: path) else { return }
        take(message, from: PacketSource(packet.source), on: path)
    }

    /// The answer in a packet, if it is one and from the link.
    private func answer(_ packet: OneShotPacket, on path: ServicePath) -> DNSMessage? {
        guard isTrusted(packet, on: path), let message = try? DNSMessage(decoding: packet.bytes),
            message.flags.isResponse, message.flags.opcode == .query, message.flags.responseCode == .noError
        else { return nil }
        return message
    }

    private mutating func take(_ message: DNSMessage, from source: PacketSource, on path: ServicePath) {
        var touched: Set<DNSName> = []
        for record in message.answers { take(record, from: source, on: path, touching: &touched) }
        for record in message.additionals { take(record, from: source, on: path, touching: &touched) }
        for name in touched { tell(name, on: path) }
        expectMore(on: path)
    }

    /// The socket has lost packets: there were too many at once, and they are not asked for again at once.
    package mutating func lost(on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        paths[path]?.hasGap = true
    }

    /// RFC 6762 §6 and §11: from the port of multicast DNS, and from the link. This host's own services are the
    /// backend's business: it knows which of them this very process has published.
    private func isTrusted(_ packet: OneShotPacket, on path: ServicePath) -> Bool {
        guard let link = paths[path]?.link else { return false }
        return packet.port == MulticastGroup.port
            && (packet.interface == 0 || packet.interface == path.interface.index)
            && link.isOnLink(packet.source) && !link.isOwn(packet.source)
    }

    private mutating func take(
        _ record: DNSRecord,
        from source: PacketSource,
        on path: ServicePath,
        touching touched: inout Set<DNSName>
    ) {
        guard record.dnsClass == .internet, record.ttl > 0 else { return }
        switch record.data {
        case .ptr(let instance):
            guard browseNames.contains(record.name), makeRow(instance, from: source, on: path) else { return }
            if paths[path]?.rows[instance]?.isPointedTo == false {
                paths[path]?.rows[instance]?.isPointedTo = true
                paths[path]?.hasNewMissing = true
            }
            paths[path]?.rows[instance]?.hasAnswered = true
            touched.insert(instance)
        case .srv(let location):
            guard makeRow(record.name, from: source, on: path),
                paths[path]?.rows[record.name]?.isConfirmed == false
            else { return }
            place(record.name, at: location, on: path)
            touched.insert(record.name)
        case .txt(let text):
            guard makeRow(record.name, from: source, on: path),
                paths[path]?.rows[record.name]?.isConfirmed == false
            else { return }
            let before = paths[path]?.rows[record.name]?.text?.count ?? 0
            guard byteCount + text.count - before <= configuration.maximumBytes else { return }
            tally(bytes: text.count - before, on: path)
            paths[path]?.rows[record.name]?.text = text
            paths[path]?.rows[record.name]?.hasAnswered = true
            touched.insert(record.name)
        case .a(let bits):
            add(.v4(IPv4Address(bits: bits)), to: record.name, on: path, touching: &touched)
        case .aaaa(let bits):
            add(.v6(IPv6Address(bits: bits, scope: path.interface)), to: record.name, on: path, touching: &touched)
        case .cname, .ns, .nsec, .opt, .soa, .tsig, .other:
            return
        }
    }

    /// Makes a row for an instance that is not known yet.
    ///
    /// - Returns: Whether there is one. Not for a name of another type, or when there are too many.
    private mutating func makeRow(_ name: DNSName, from source: PacketSource, on path: ServicePath) -> Bool {
        guard paths[path]?.rows[name] == nil else { return true }
        guard let parent = name.parent, let type = types[parent], let label = name.labels.first(where: { _ in true }),
            let text = String(validating: label, as: UTF8.self),
            let instance = try? ServiceInstance(name: text, type: type, domain: request.domain),
            makeRoom(for: name, from: source, on: path)
        else { return false }
        paths[path]?.rows[name] = OneShotRow(instance: instance, source: source)
        tally(bytes: name.wire.count, on: path)
        paths[path]?.missing.insert(name)
        if paths[path]?.repetitions != 0 { paths[path]?.hasGap = true }
        census.insert(name)
        enter(name, on: path)
        return true
    }

    private mutating func place(_ name: DNSName, at location: SRVData, on path: ServicePath) {
        paths[path]?.rows[name]?.hasAnswered = true
        let before = paths[path]?.rows[name]?.location
        guard before != location else { return }
        paths[path]?.rows[name]?.location = location
        paths[path]?.move(name, from: before?.target, to: location.target)
    }

    /// Adds an address. A host that nobody has named yet may be named by a packet that is still to come.
    private mutating func add(
        _ address: IPAddress,
        to host: DNSName,
        on path: ServicePath,
        touching touched: inout Set<DNSName>
    ) {
        if let known = paths[path]?.addresses[host] {
            guard known.count < configuration.maximumAddresses, !known.contains(address) else { return }
        } else {
            guard let count = paths[path]?.addresses.count, count < configuration.maximumInstances,
                byteCount + host.wire.count <= configuration.maximumBytes
            else { return }
            tally(bytes: host.wire.count, on: path)
        }
        paths[path]?.addresses[host, default: []].insert(address)
        touched.formUnion(paths[path]?.guests[host] ?? [])
    }

    /// Tells of an instance if it is complete and new, or new in part.
    private mutating func tell(_ name: DNSName, on path: ServicePath) {
        // Never a copy of the whole path here: the first change to it would copy every row, for each packet.
        guard let row = paths[path]?.rows[name], row.isPointedTo, !row.isConfirmed,
            let location = row.location, let text = row.text,
            let addresses = paths[path]?.addresses[location.target], !addresses.isEmpty,
            let host = try? DomainName(wire: location.target.wire)
        else { return }
        let sighting = Sighting(
            instance: row.instance,
            path: path,
            source: .oneShot,
            resolution: .resolved,
            host: host.escaped,
            port: location.port,
            addresses: addresses.sorted(),
            txt: TXTRecord(decoding: text)
        )
        paths[path]?.missing.remove(name)
        guard sighting != row.told else { return }
        paths[path]?.rows[name]?.told = sighting
        events.append(.sighted(sighting))
        expectCheck()
    }

    /// Asks for what is missing when nothing has come for a moment.
    private mutating func expectMore(on path: ServicePath) {
        guard paths[path]?.hasNewMissing == true, paths[path]?.missing.isEmpty == false else { return }
        let end = paths[path]?.askBy ?? now + configuration.answerTime
        paths[path]?.askBy = end
        let next = min(now + configuration.gatheringTime, end)
        paths[path]?.askAt = next
    }
}
