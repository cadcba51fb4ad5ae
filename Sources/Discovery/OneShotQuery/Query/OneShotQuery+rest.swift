internal import DNSSD

/// The instances that did not fit into an answer that was cut.
///
/// Avahi cuts an answer at 512 bytes, puts the SRV and TXT records of an instance right after the PTR record that names
/// it, and begins with the same instance each time: of ten instances it names four or five. But if the same packet asks
/// for an instance by name, Avahi puts that instance's records after all PTR records. So the known instances are asked
/// for by name along with the list of all, which leaves room for the PTR records of others.
extension OneShotQuery {
    /// The largest size of the questions in a packet, in bytes. The answer repeats them and holds the PTR records of
    /// the known instances as well: with more of them there would be no room for other instances, which are then found
    /// by the multicast question.
    private static let longestQuestions = 250

    /// The largest number of known instances whose questions may fit: with more, the query does not try.
    private static let mostKnown = 32

    /// Records that an answer that was cut has named new instances.
    mutating func expectRest(_ message: DNSMessage, on path: ServicePath) {
        for question in message.questions where question.type == .ptr && browseNames.contains(question.name) {
            paths[path]?.cutAnswers.askForRest(of: question.name, now: now)
        }
    }

    /// Asks for the instances that are not known yet.
    mutating func askForRest(on path: ServicePath) -> [OneShotAction] {
        guard let names = paths[path]?.cutAnswers.takeNames(), let id = paths[path]?.nextID() else { return [] }
        let actions = names.compactMap { restQuestion(for: $0, id: id, on: path) }
        if !actions.isEmpty { paths[path]?.cutAnswers.noteAsked() }
        return actions
    }

    private mutating func restQuestion(for browseName: DomainName, id: UInt16, on path: ServicePath) -> OneShotAction? {
        guard let base = types.keys.first(where: { browseName.isWithin($0) }), let state = paths[path],
            state.rows.count <= Self.mostKnown
        else { return nil }
        let known = state.rows.filter { $0.key.isWithin(base) }
        // Avahi answers the last question first: all PTR records, then the records of incomplete instances, and the
        // others as far as there is room.
        let complete = known.filter { $0.value.isReported || $0.value.isConfirmed }
        let incomplete = known.filter { !$0.value.isReported && !$0.value.isConfirmed }
        var encoder = DNSMessageEncoder(id: id, limit: Self.longestQuestions, compression: .multicast)
        for name in complete.keys.sorted() + incomplete.keys.sorted() {
            guard encoder.append(DNSQuestion(oneShot: name, type: .any)) else { return nil }
        }
        guard encoder.append(DNSQuestion(oneShot: browseName, type: .ptr)), budget.take(now: now) else { return nil }
        return .send(encoder.finish(), on: path)
    }
}
