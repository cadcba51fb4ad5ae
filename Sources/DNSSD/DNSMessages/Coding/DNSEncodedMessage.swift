/// The bytes of an encoded message, and how much of the message they hold.
package struct DNSEncodedMessage: Hashable, Sendable {
    /// The bytes of the packet.
    package let bytes: [UInt8]

    /// The number of entries of each section that were encoded, always the first ones: everything after the first entry
    /// that did not fit is left out.
    package let counts: DNSSectionCounts

    /// Indicates whether the whole message was encoded.
    package let isComplete: Bool
}

/// The number of entries in each section of a message.
package struct DNSSectionCounts: Hashable, Sendable {
    /// The number of questions.
    package var questions: Int

    /// The number of answers.
    package var answers: Int

    /// The number of authority records.
    package var authorities: Int

    /// The number of additional records.
    package var additionals: Int

    /// Creates the numbers of entries; by default those of an empty message.
    package init(questions: Int = 0, answers: Int = 0, authorities: Int = 0, additionals: Int = 0) {
        self.questions = questions
        self.answers = answers
        self.authorities = authorities
        self.additionals = additionals
    }
}
