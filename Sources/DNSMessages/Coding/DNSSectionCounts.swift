/// The number of entries in each section of a message.
public struct DNSSectionCounts: Hashable, Sendable {
    public var questions: Int
    public var answers: Int
    public var authorities: Int
    public var additionals: Int

    public init(questions: Int = 0, answers: Int = 0, authorities: Int = 0, additionals: Int = 0) {
        self.questions = questions
        self.answers = answers
        self.authorities = authorities
        self.additionals = additionals
    }
}
