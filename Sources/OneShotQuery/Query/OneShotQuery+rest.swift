internal import DNSMessages
internal import DNSSD

/// The instances that found no room in an answer that was cut.
///
/// Avahi cuts at 512 bytes, puts the SRV and TXT records of an instance right behind the PTR record that names it, and begins
/// with the same instance each time: of ten instances it names four or five. But what is asked for by its name in the same
/// packet it puts behind all PTR records. So those that are known are asked for along with all, and the next ones find room.
extension OneShotQuery {
    /// The largest size of the questions of a packet, in bytes. They come back in the answer, and the PTR records of
    /// those that are known as well: with more of them there is no room for others, and they are named by the answer to
    /// all.
    private static let longestQuestions = 250

    /// The number of instances whose questions may find room: more are not looked through.
    private static let mostKnown = 32

    /// An answer that was cut has named instances that were not known.
    mutating func expectRest(_ message: DNSMessage, on path: ServicePath) {
        for question in message.questions where question.type == .ptr && browseNames.contains(question.name) {
            paths[path]?.cutAnswers.askForRest(of: question.name, now: now)
        }
    }

    /// Asks for those that are not known yet, at once.
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
        // The last question is answered first: all PTR records, then what is missing, and the rest where there is room.
        let complete = known.filter { $0.value.isReported || $0.value.isConfirmed }
        let incomplete = known.filter { !$0.value.isReported && !$0.value.isConfirmed }
        var encoder = DNSMessageEncoder(id: id, limit: Self.longestQuestions, compression: .multicast)
        for name in Array(complete.keys) + Array(incomplete.keys) {
            guard encoder.append(DNSQuestion(name: name, type: .any)) else { return nil }
        }
        guard encoder.append(DNSQuestion(name: browseName, type: .ptr)), budget.take(now: now) else { return nil }
        return .send(encoder.finish(), on: path)
    }
}
