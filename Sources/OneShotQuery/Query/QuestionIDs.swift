/// The ids of the questions from one port: whoever answers must have seen one of the latest.
struct QuestionIDs {
    /// The number of the latest questions to which answers are taken.
    static let inUse: UInt16 = 32

    private var latest: UInt16
    private var count: UInt16 = 0

    init(after id: UInt16) {
        self.latest = id
    }

    /// The id for more questions. The same bytes again within a second would be taken for a doubled packet by some
    /// responders, and not be answered.
    mutating func next() -> UInt16 {
        // 0 is what multicast questions have.
        latest = latest == .max ? 1 : latest + 1
        count = min(count + 1, Self.inUse)
        return latest
    }

    /// Indicates whether this is the id of one of the latest questions.
    func contains(_ id: UInt16) -> Bool {
        guard id != 0 else { return false }
        // One less across the end, since 0 is no id.
        return (id <= latest ? latest - id : latest &- id &- 1) < count
    }
}
