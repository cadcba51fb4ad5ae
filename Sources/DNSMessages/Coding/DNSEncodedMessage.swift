/// The bytes of an encoded message, and how much of the message they hold.
public struct DNSEncodedMessage: Hashable, Sendable {
    /// The bytes of the packet.
    public let bytes: [UInt8]

    /// The number of entries of each section that were encoded, always the first ones: everything after the first entry
    /// that did not fit is left out.
    public let counts: DNSSectionCounts

    /// Indicates whether the whole message was encoded.
    public let isComplete: Bool
}

/// The number of entries in each section of a message.
public struct DNSSectionCounts: Hashable, Sendable {
    /// The number of questions.
    public var questions: Int

    /// The number of answers.
    public var answers: Int

    /// The number of authority records.
    public var authorities: Int

    /// The number of additional records.
    public var additionals: Int

    /// Creates the numbers of entries; by default those of an empty message.
    public init(questions: Int = 0, answers: Int = 0, authorities: Int = 0, additionals: Int = 0) {
        self.questions = questions
        self.answers = answers
        self.authorities = authorities
        self.additionals = additionals
    }
}
