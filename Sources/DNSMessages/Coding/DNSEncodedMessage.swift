/// The bytes of a message, and how much of it is in them.
public struct DNSEncodedMessage: Hashable, Sendable {
    /// The packet.
    public let bytes: [UInt8]

    /// The number of entries of each section that are in it, always the first ones. All after the first that did not
    /// fit are left out.
    public let counts: DNSSectionCounts

    /// Indicates whether everything is in it.
    public let isComplete: Bool
}

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
