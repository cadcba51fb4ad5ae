internal import DNSSD

/// Repeating questions that nobody has answered in packets of their own.
///
/// Questions share packets (RFC 6762 §5.3), but simple responders read only the first question of a packet, or ignore a
/// packet with several. So the first repetition of a question that was not answered is sent alone. That costs nothing
/// where every question was answered, and is done once.
extension Querier {
    /// The time between two such packets: simple responders have little room for packets.
    private static let pause = Duration.milliseconds(50)

    /// The highest number of browsed names, and of questions for missing records in one turn, that are asked alone.
    /// Those above it share packets, so that invented instances do not cause a packet each.
    private static let limits = (names: 16, records: 6)

    /// Takes the names that are asked for again without any answer so far out of the names that are due: the first is
    /// asked for now, the others follow one by one.
    mutating func askAlone(_ listings: inout [RecordKey]) {
        var time = now
        var left = Self.limits.names
        listings.removeAll { key in
            guard left > 0, names[key.name]?.lone == .notAsked, questions[key].map({ $0.count >= 2 }) == true,
                cache.count(of: key) == 0
            else { return false }
            left -= 1
            if time == now {
                sendAlone(key)
            } else {
                names[key.name]?.lone = .planned(time)
                queue.insert(.loneQuestion(key.name), at: time)
            }
            time += Self.pause
            return true
        }
    }

    /// Asks for a name alone, as was planned.
    mutating func askAlone(_ name: DomainName, at time: ContinuousClock.Instant) {
        guard names[name]?.lone == .planned(time) else { return }
        sendAlone(RecordKey(name, .ptr))
    }

    private mutating func sendAlone(_ key: RecordKey) {
        names[key.name]?.lone = .asked
        names[key.name]?.lastAsked = now
        outbox.append(
            QuestionPackets.make(
                [key.question],
                knownAnswers: knownAnswers(to: key),
                limit: payload,
                maximum: Self.maximumAnswerPackets
            )
        )
    }

    /// Asks for missing records, each in a packet of its own; if they are too many, they are added to the others.
    mutating func askAlone(_ repeated: [DNSQuestion], or others: inout [DNSQuestion]) {
        if repeated.count > Self.limits.records {
            others += repeated
        } else {
            for question in repeated { outbox.append(QuestionPackets.make([question], limit: payload)) }
        }
    }

    /// The packets for one name that are planned.
    var plannedLoneQuestions: [(ContinuousClock.Instant, Due)] {
        names.sorted { $0.key < $1.key }.compactMap { name, listed in
            guard case .planned(let time) = listed.lone else { return nil }
            return (time, .loneQuestion(name))
        }
    }
}

/// The state of the question that asks for one name alone.
enum LoneQuestion: Hashable, Sendable {
    case notAsked
    case planned(ContinuousClock.Instant)
    case asked
}
