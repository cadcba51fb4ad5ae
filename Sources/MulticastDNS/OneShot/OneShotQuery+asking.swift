internal import DNSMessages
internal import DNSSD

/// What goes out.
extension OneShotQuery {
    /// How many instances are asked for in one packet: as many as fit, and few where answers are cut at 512 bytes.
    private static let instancesPerPacket = (whole: 32, cut: 3)

    /// The question for the instances, each type in a packet of its own: answers that are cut are cut for each.
    ///
    /// Known answers (RFC 6762 §7.1) cannot be told from such a port: Avahi refuses a query that has them.
    func browse(on path: ServicePath) -> [OneShotAction] {
        guard let state = paths[path] else { return [] }
        return browseNames.map { name in
            let question = DNSQuestion(name: name, type: .ptr)
            return .send(DNSMessage(id: state.id, questions: [question]).encoded().bytes, on: path)
        }
    }

    /// The question for the instances of all types, as a querier asks it (RFC 6762 §5.2).
    ///
    /// - Returns: `nil` where there are more types than one packet has room for: then the backend asks.
    func multicastQuestion(on path: ServicePath) -> OneShotAction? {
        let questions = browseNames.map { DNSQuestion(name: $0, type: .ptr) }
        let bytes = DNSMessage(questions: questions).encoded().bytes
        guard !questions.isEmpty, bytes.count <= MulticastGroup.payload(path.family) else { return nil }
        return .multicast(bytes, on: path)
    }

    /// Asks for what has come incomplete, and for all instances again where packets were lost.
    mutating func askForMissing(on path: ServicePath) -> [OneShotAction] {
        guard let state = paths[path] else { return [] }
        paths[path]?.askAt = nil
        paths[path]?.askBy = nil
        var questions: [[DNSQuestion]] = []
        var hosts: Set<DNSName> = []
        for (name, row) in state.rows where row.isPointedTo && !row.isConfirmed && row.told == nil {
            var missing: [DNSQuestion] = []
            if let host = row.location?.target {
                if state.addresses[host] == nil, hosts.insert(host).inserted {
                    missing += [.a, .aaaa].map { DNSQuestion(name: host, type: $0) }
                }
            } else {
                missing.append(DNSQuestion(name: name, type: .srv))
            }
            if row.text == nil { missing.append(DNSQuestion(name: name, type: .txt)) }
            if !missing.isEmpty { questions.append(missing) }
        }
        guard state.hasLost || !questions.isEmpty else { return [] }
        paths[path]?.round += 1
        paths[path]?.hasLost = false
        if state.round + 1 < configuration.rounds {
            // If nobody answers this, it is asked again then.
            let next = now + configuration.answerTime
            paths[path]?.askAt = next
        }
        return (state.hasLost ? browse(on: path) : []) + pack(questions, on: path)
    }

    /// Asks by name for all that have not answered in this check.
    mutating func askByName() -> [OneShotAction] {
        var actions: [OneShotAction] = []
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            let silent = state.rows.filter { $0.value.told != nil && !$0.value.isConfirmed && !$0.value.hasAnswered }
            let perPacket = state.isCut ? Self.instancesPerPacket.cut : Self.instancesPerPacket.whole
            let asked = Array(silent.keys.prefix(perPacket * configuration.packetsPerRound))
            for name in asked { paths[path]?.rows[name]?.wasAsked = true }
            actions += pack(asked.map { [DNSQuestion(name: $0, type: .srv)] }, on: path)
        }
        return actions
    }

    /// Puts questions into packets. Those of one instance stay together.
    private func pack(_ questions: [[DNSQuestion]], on path: ServicePath) -> [OneShotAction] {
        guard let state = paths[path] else { return [] }
        let perPacket = state.isCut ? Self.instancesPerPacket.cut : Self.instancesPerPacket.whole
        let limit = MulticastGroup.payload(path.family)
        var packets: [OneShotAction] = []
        var rest = questions[...]
        while !rest.isEmpty, packets.count < configuration.packetsPerRound {
            var encoder = DNSMessageEncoder(id: state.id, limit: limit, compression: .multicast)
            var count = 0
            while count < perPacket, let group = rest.first {
                // The longest names do not fill a packet with their questions, so that each one gets its turn.
                guard group.allSatisfy({ encoder.append($0) }) || count == 0 else { break }
                rest = rest.dropFirst()
                count += 1
            }
            packets.append(.send(encoder.finish(), on: path))
        }
        return packets
    }
}
