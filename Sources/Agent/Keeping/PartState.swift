package import Reports

/// The state of one part of an ``Agent``, with the reason for it.
package struct PartState: Hashable, Sendable {
    /// The present state of a part, as one word.
    package enum Word: String, Hashable, Sendable, CaseIterable {
        /// It has just begun.
        case starting
        /// It works.
        case running
        /// It works as far as it can; the reason says what it cannot do.
        case impaired
        /// It has ended, and runs again after a pause; the reason says why it has ended.
        case waiting
        /// It has ended together with the agent.
        case stopped
    }

    /// The state as one word.
    package let word: Word

    /// The reason for the state, for people; `nil` if there is nothing to explain. It is not cleaned.
    package let reason: String?

    /// The time since which the part is in this state.
    package let since: Timestamp

    /// Creates a state.
    package init(_ word: Word, reason: String? = nil, since: Timestamp) {
        self.word = word
        self.reason = reason
        self.since = since
    }

    /// Indicates whether the part works, if not in full.
    package var isWorking: Bool {
        switch word {
        case .running, .impaired: true
        case .starting, .waiting, .stopped: false
        }
    }
}
