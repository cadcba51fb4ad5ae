/// The ids of the questions from one port. An answer with one of the latest ids proves that its sender has seen the
/// question.
struct QuestionIDs {
    /// The number of the latest questions whose answers are accepted.
    static let inUse: UInt16 = 32

    private var latest: UInt16
    private var count: UInt16 = 0

    init(after id: UInt16) {
        self.latest = id
    }

    /// Returns the id for the next questions. Some responders would take the same bytes again within a second for a
    /// duplicated packet, and not answer.
    mutating func next() -> UInt16 {
        // Multicast questions have the id 0.
        latest = latest == .max ? 1 : latest + 1
        count = min(count + 1, Self.inUse)
        return latest
    }

    /// Indicates whether this is the id of one of the latest questions.
    func contains(_ id: UInt16) -> Bool {
        guard id != 0 else { return false }
        // The difference is one less across the wrap-around, since 0 is not used as an id.
        return (id <= latest ? latest - id : latest &- id &- 1) < count
    }
}
