package import DNSSD

/// Receiving packets.
extension OneShotQuery {
    /// Handles a packet. It is ignored unless it is an answer to one of our questions, and comes from the link itself.
    package mutating func receive(_ packet: OneShotPacket, on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        guard let answer = answer(packet, on: path), paths[path]?.ids.contains(answer.message.id) == true else {
            return
        }
        let message = answer.message
        paths[path]?.firstQuestion.lastAnswer = now
        let known = paths[path]?.rows.count
        take(message, from: packet.source, on: path)
        // Avahi cuts responses to a port other than 5353 at 512 bytes, whole records at a time, and does not set TC.
        // Other responders end the packet in the middle of a record.
        guard message.flags.isTruncated || answer.isCut || (420...512).contains(packet.bytes.count) else { return }
        noteTruncatedAnswer(on: path)
        if paths[path]?.rows.count != known { expectRest(message, on: path) }
    }

    private mutating func noteTruncatedAnswer(on path: ServicePath) {
        guard let state = paths[path], !state.cutAnswers.hasAny else { return }
        paths[path]?.cutAnswers.hasAny = true
        // A cut that shows up late no longer matters: by then the backend has asked.
        guard state.mayMulticast, now < state.firstQuestion.opened + configuration.listeningTime else { return }
        multicastQuestion.answerWasCut(now: now)
    }

    /// Handles a packet that was sent to the group, whoever asked for it.
    package mutating func hear(_ packet: OneShotPacket, on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        guard multicastQuestion.isListening || goodbyeListening == .on,
            let message = answer(packet, on: path)?.message
        else { return }
        if goodbyeListening == .on { takeGoodbyes(message, on: path) }
        if multicastQuestion.isListening { take(message, from: packet.source, on: path) }
    }

    /// Returns the response in a packet, if it is one and comes from the link.
    private func answer(_ packet: OneShotPacket, on path: ServicePath) -> DNSReceivedMessage? {
        guard isTrusted(packet, on: path), let answer = try? DNSReceivedMessage(decoding: packet.bytes) else {
            return nil
        }
        let flags = answer.message.flags
        return flags.isResponse && flags.opcode == .query && flags.responseCode == .noError ? answer : nil
    }

    private mutating func take(_ message: DNSMessage, from source: IPAddress, on path: ServicePath) {
        // No path is inserted or removed below, so that the index stays valid.
        guard let place = paths.index(forKey: path) else { return }
        for record in message.answers { take(record, from: source, on: path, at: place) }
        for record in message.additionals { take(record, from: source, on: path, at: place) }
        let leftOut = paths.values[place].takeLeftOut()
        losses.entries += leftOut.entries + leftOut.addresses
        if leftOut.entries > 0 { warn(.tooManyInstances(limit: configuration.maximumInstances)) }
        if leftOut.addresses > 0 { warn(.tooManyRecords(on: path, limit: configuration.maximumAddresses)) }
        let sightings = paths.values[place].takeSightings(as: path)
        if !sightings.isEmpty {
            events += sightings.map { .sighted($0) }
            expectCheck()
        }
        expectMore(on: path)
    }

    /// Records that the socket has lost packets. There were too many at once, so they are not asked for again right
    /// away.
    package mutating func lost(_ packets: Int, on path: ServicePath, now: ContinuousClock.Instant) {
        self.now = now
        losses.packets += packets
        warn(.packetsLost(on: path))
        paths[path]?.firstQuestion.hasGap = true
    }

    /// Indicates whether a packet comes from the port of multicast DNS and from the link (RFC 6762 §6, §11). This
    /// host's own services are left to the backend: it knows which of them this process has published.
    private func isTrusted(_ packet: OneShotPacket, on path: ServicePath) -> Bool {
        guard let link = paths[path]?.link else { return false }
        return packet.port == MulticastGroup.port
            && (packet.interface == 0 || packet.interface == path.interface.index)
            && link.isOnLink(packet.source) && !link.isOwn(packet.source)
    }

    private mutating func take(
        _ record: DNSRecord,
        from source: IPAddress,
        on path: ServicePath,
        at place: Dictionary<ServicePath, OneShotPath>.Index
    ) {
        guard record.dnsClass == .internet, record.ttl > 0 else { return }
        switch record.data {
        case .ptr(let instance):
            guard browseNames.contains(record.name), !paths.values[place].point(to: instance),
                makeRow(instance, isListed: true, from: PacketSource(source), on: path, at: place)
            else { return }
            paths.values[place].point(to: instance)
        case .srv(let location):
            guard !paths.values[place].place(record.name, at: location, from: source),
                makeRow(record.name, isListed: false, from: PacketSource(source), on: path, at: place)
            else { return }
            paths.values[place].place(record.name, at: location, from: source)
        case .txt(let text):
            if let growth = describe(record.name, as: text, at: place) {
                byteCount += growth
            } else if makeRow(record.name, isListed: false, from: PacketSource(source), on: path, at: place) {
                byteCount += describe(record.name, as: text, at: place) ?? 0
            }
        case .a(let bits):
            add(.v4(IPv4Address(bits: bits)), to: record.name, at: place)
        case .aaaa(let bits):
            add(.v6(IPv6Address(bits: bits, scope: path.interface)), to: record.name, at: place)
        case .cname, .ns, .nsec, .opt, .soa, .tsig, .other:
            return
        }
    }

    /// Adds a row for an instance that has none.
    ///
    /// - Parameter isListed: Whether a PTR record has just listed it.
    /// - Returns: Whether there is a row now: not for a name of another type, or when there are too many instances.
    private mutating func makeRow(
        _ name: DomainName,
        isListed: Bool,
        from source: PacketSource,
        on path: ServicePath,
        at place: Dictionary<ServicePath, OneShotPath>.Index
    ) -> Bool {
        guard let parent = name.parent, let type = types[parent], let label = name.labels.first(where: { _ in true }),
            let text = String(validating: label, as: UTF8.self),
            let instance = try? ServiceInstance(name: text, type: type, domain: request.domain.escaped),
            makeRoom(for: name, isListed: isListed, from: source, on: path)
        else { return false }
        let row = OneShotRow(instance: instance, source: source)
        paths.values[place].add(row, for: name, isProtected: protected.contains(name))
        byteCount += name.wire.count
        instanceCounts.insert(name)
        return true
    }

    private mutating func describe(
        _ name: DomainName,
        as text: [UInt8],
        at place: Dictionary<ServicePath, OneShotPath>.Index
    ) -> Int? {
        paths.values[place].describe(name, as: text, room: configuration.maximumBytes - byteCount)
    }

    private mutating func add(
        _ address: IPAddress,
        to host: DomainName,
        at place: Dictionary<ServicePath, OneShotPath>.Index
    ) {
        let limits = (
            addresses: configuration.maximumAddresses,
            hosts: configuration.maximumInstances,
            bytes: configuration.maximumBytes - byteCount
        )
        byteCount += paths.values[place].add(address, to: host, limits: limits)
    }

    /// Plans to ask for missing records once nothing has come for a moment.
    private mutating func expectMore(on path: ServicePath) {
        let (configuration, now) = (configuration, now)
        paths[path]?.followUp.expectMore(configuration, now: now)
    }
}
