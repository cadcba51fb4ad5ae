internal import DNSSD
internal import HostSystem

/// Receiving messages from the link.
extension Responder {
    /// Handles a message.
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
                // Claims can only be compared as a whole. If neither side of a tie yields, the answers decide.
                if packet.received.skipped.authorities == 0 {
                    handleCoResponderProbe(packet)
                    breakTies(packet)
                }
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
                    // RFC 6762 §6.6: another host announces that our record is about to expire, which it is not.
                    paths[packet.path]?.schedule(own, now: now, using: &random)
                } else if !isFromHere {
                    // RFC 6762 §7.4. Our own packets come back as well, but they are no answers to later questions.
                    paths[packet.path]?.suppress(own)
                }
            } else if let key = owners[record.name] {
                guard !isClaimed(record, by: key, on: packet.path) else { continue }
                examine(record, of: key, in: packet)
            }
        }
    }

    /// Indicates whether we are claiming exactly this record: two claims with the same content are no conflict.
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
            // With TC set, more known answers are on their way; once a packet comes without TC, all of them are here.
            let delay = message.flags.isTruncated ? 400...500 : 20...120
            let due = now + .milliseconds(Int.random(in: delay, using: &random))
            if deferred.add(questions, known: known, due: due, for: key) { return }
            counters.notDeferred += 1
        }
        let manner: Manner = message.authorities.isEmpty ? .usual : .defence
        answer(message.questions, known: known, to: packet.source, manner, on: path, using: &random)
    }

    /// Returns the records of ours that the querier knows, with half of their TTL left or more (RFC 6762 §7.1).
    private static func known(_ answers: [DNSRecord], in zone: RecordZone) -> Set<DNSRecord> {
        var known: Set<DNSRecord> = []
        for answer in answers {
            guard let own = zone.record(like: answer), UInt64(answer.ttl) * 2 >= UInt64(own.ttl) else { continue }
            known.insert(own)
        }
        return known
    }

    /// Answers the queries that have waited for the rest of their known answers.
    mutating func answerDeferred(using random: inout some RandomNumberGenerator) {
        for (key, query) in deferred.takeDue(now: now) {
            answer(query.questions, known: query.known, to: key.source, .afterWaiting, on: key.path, using: &random)
        }
    }

    /// The manner in which a query is answered, which affects when and how answers are sent.
    private enum Manner {
        case usual

        /// The query is a probe for a name that is ours.
        case defence

        /// The query has waited for known answers.
        case afterWaiting
    }

    /// Schedules the answers to be multicast, or sends them to the querier by unicast if it wants that and everybody
    /// else has received them lately.
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
                // RFC 6762 §5.4: a question for unicast answers is answered by multicast if the other hosts have not
                // received the record for long. A probe is always answered by multicast too: on the querier's host,
                // another process may take the unicast answer.
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

    /// Answers a legacy query, which comes from a port other than 5353, at once and by unicast (RFC 6762 §6.7).
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
        // A querier is assumed to accept a full packet of the link; one with EDNS announces how much it accepts (RFC
        // 6891 §6.2.3).
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

    /// Decides whether a querier may receive a number of further records.
    private mutating func allows(_ count: Int, for asker: SocketAddress) -> Bool {
        if allowances.take(count, for: PacketSource(asker.address), now: now) { return true }
        counters.refused += 1
        warn(.tooManyQuestions(from: asker.address, limit: limits.answersPerSecond))
        return false
    }
}
