internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// Receiving messages from the link.
extension Responder {
    /// Takes a message in.
    mutating func receive(
        _ packet: ResponderPacket,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        self.now = now
        let flags = packet.message.flags
        // RFC 6762 §18.3, §18.11: messages of another kind are ignored.
        guard !isIdle, flags.opcode == .query, flags.responseCode == .noError, packet.source.port > 0,
            let path = paths[packet.path]
        else { return }
        // RFC 6762 §11.
        guard path.link.isOnLink(packet.source.address) || path.link.isOwn(packet.source.address) else {
            counters.offLink += 1
            return
        }
        if flags.isResponse {
            // RFC 6762 §6: a response from another port is not one of multicast DNS.
            guard packet.source.port == MulticastGroup.port else { return }
            takeResponse(packet, using: &random)
            noteOwnersOfWantedNames(packet.message.answers + packet.message.additionals)
        } else {
            if !packet.message.authorities.isEmpty, packet.source.port == MulticastGroup.port {
                meetTwin(packet)
                breakTies(packet)
                noteOwnersOfWantedNames(packet.message.authorities)
            }
            takeQuery(packet, using: &random)
        }
    }

    // MARK: Responses

    private mutating func takeResponse(_ packet: ResponderPacket, using random: inout some RandomNumberGenerator) {
        let isFromHere = isOwn(packet.source.address)
        for record in packet.message.answers + packet.message.additionals where record.dnsClass == .internet {
            if let own = zone(of: packet.path).record(like: record) {
                if UInt64(record.ttl) * 2 < UInt64(own.ttl) {
                    // RFC 6762 §6.6: somebody says that it is about to go, and it is not.
                    paths[packet.path]?.schedule(own, now: now, using: &random)
                } else if !isFromHere {
                    // RFC 6762 §7.4. Our own packets come back as well, and have answered only what was asked before.
                    paths[packet.path]?.suppress(own)
                }
            } else if let key = owners[record.name] {
                guard !isClaimed(record, by: key, on: packet.path) else { continue }
                examine(record, of: key, in: packet)
            }
        }
    }

    /// Indicates whether we are claiming this very record: two that say the same have nothing to fight about.
    private func isClaimed(_ record: DNSRecord, by key: ClaimKey, on path: ServicePath) -> Bool {
        records(of: key, on: path)?.unique.contains { $0.name == record.name && $0.data == record.data } == true
    }

    // MARK: Queries

    private mutating func takeQuery(_ packet: ResponderPacket, using random: inout some RandomNumberGenerator) {
        let (message, path) = (packet.message, packet.path)
        let zone = zone(of: path)
        let known = Self.known(message.answers, in: zone)
        guard packet.source.port == MulticastGroup.port else {
            answerLegacy(packet, zone: zone, known: known)
            return
        }
        let key = DeferredQueries.Key(source: packet.source, path: path)
        if message.flags.isTruncated || (message.questions.isEmpty && deferred.contains(key)) {
            let questions = message.questions.filter { zone.hasName($0.name) }
            guard deferred.contains(key) || !questions.isEmpty else { return }
            // The rest of what it knows is on its way: for as long as it says so. Then all is there.
            let delay = message.flags.isTruncated ? 400...500 : 20...120
            let due = now + .milliseconds(Int.random(in: delay, using: &random))
            if deferred.add(questions, known: known, due: due, for: key) { return }
            counters.notDeferred += 1
        }
        let manner: Manner = message.authorities.isEmpty ? .usual : .defence
        answer(message.questions, known: known, to: packet.source, manner, on: path, using: &random)
    }

    /// Records of ours that the asker knows, with half of their time left or more (RFC 6762 §7.1).
    private static func known(_ answers: [DNSRecord], in zone: RecordZone) -> Set<DNSRecord> {
        var known: Set<DNSRecord> = []
        for answer in answers {
            guard let own = zone.record(like: answer), UInt64(answer.ttl) * 2 >= UInt64(own.ttl) else { continue }
            known.insert(own)
        }
        return known
    }

    /// Answers the questions that have waited for the rest of what their askers know.
    mutating func answerDeferred(using random: inout some RandomNumberGenerator) {
        for (key, query) in deferred.takeDue(now: now) {
            answer(query.questions, known: query.known, to: key.source, .afterWaiting, on: key.path, using: &random)
        }
    }

    /// The manner in which a query is answered: why, and when.
    private enum Manner {
        case usual

        /// It is a probe for a name that is ours.
        case defence

        /// It has waited for known answers.
        case afterWaiting
    }

    /// Puts the answers down to be multicast, or sends them to the asker where he wants that and others have heard them.
    private mutating func answer(
        _ questions: [DNSQuestion],
        known: Set<DNSRecord>,
        to asker: SocketAddress,
        _ manner: Manner,
        on path: ServicePath,
        using random: inout some RandomNumberGenerator
    ) {
        let zone = zone(of: path)
        var unicast: [DNSRecord] = []
        for question in questions {
            let answers = zone.answers(to: question).filter { !known.contains($0) }
            guard !answers.isEmpty else { continue }
            guard allows(answers.count, for: asker) else { return }
            for record in answers {
                let isHeard = paths[path]?.hasHeardLately(record, now: now) == true
                if question.isUnicastWanted, isHeard || manner == .defence { unicast.append(record) }
                // RFC 6762 §5.4: who asks for unicast gets multicast when the others have not heard it for long. A probe
                // is answered so in any case: another process of the asker's host may take the unicast answer.
                guard !question.isUnicastWanted || !isHeard || manner == .defence else { continue }
                paths[path]?.schedule(
                    record,
                    isDefence: manner == .defence,
                    hasWaited: manner == .afterWaiting,
                    now: now,
                    using: &random
                )
            }
        }
        let limit = MulticastGroup.payload(path.family)
        for packet in ResponsePackets.make(unicast, additionals: zone.additionals, limit: limit) {
            actions.append(.send(packet, on: path, to: asker))
        }
    }

    /// Answers one that asks from a port of its own, at once and for itself (RFC 6762 §6.7).
    private mutating func answerLegacy(_ packet: ResponderPacket, zone: RecordZone, known: Set<DNSRecord>) {
        var query = packet.message
        var seen = known
        var answers: [DNSRecord] = []
        query.questions.removeAll { !zone.hasName($0.name) }
        for question in query.questions {
            let found = zone.answers(to: question)
            guard found.isEmpty || allows(found.count, for: packet.source) else { break }
            answers += found.filter { seen.insert($0).inserted }
        }
        guard !answers.isEmpty else { return }
        // An unknown querier takes what fits a packet of the link, and one with EDNS says what it takes (RFC 6891 §6.2.3).
        let limit = MulticastGroup.payload(packet.path.family)
        let size = query.additionals.lazy.compactMap(\.ednsPayloadSize).first.map { max(512, Int($0)) } ?? limit
        let packets = ResponsePackets.make(
            answers,
            additionals: zone.additionals,
            to: query,
            limit: min(size, limit)
        )
        for bytes in packets { actions.append(.send(bytes, on: packet.path, to: packet.source)) }
    }

    /// Decides whether an asker may have so many more records.
    private mutating func allows(_ count: Int, for asker: SocketAddress) -> Bool {
        if allowances.take(count, for: PacketSource(asker.address), now: now) { return true }
        counters.refused += 1
        warn(.tooManyQuestions(from: asker.address, limit: limits.answersPerSecond))
        return false
    }
}
