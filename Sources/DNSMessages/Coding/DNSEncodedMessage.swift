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
