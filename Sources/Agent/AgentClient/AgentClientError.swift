/// The reason why an agent did not answer.
package enum AgentClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No agent of this user runs.
    case absent

    /// The socket may be somebody else's, so that nothing was sent to it.
    case unsafe(String)

    /// It did not show that it answers at all, so that it was not asked.
    case silent

    /// It was asked, and did not answer in time.
    case timedOut

    /// The connection has broken.
    case broken(String)

    /// Its answer cannot be read.
    case garbled(String)

    /// Indicates whether the agent may have been asked, whatever has become of that.
    package var mayHaveAsked: Bool {
        switch self {
        case .absent, .unsafe, .silent: false
        case .timedOut, .broken, .garbled: true
        }
    }

    package var description: String {
        switch self {
        case .absent: "no agent of this user runs"
        case .unsafe(let reason): "the agent is not asked: \(reason)"
        case .silent, .timedOut: "the agent does not answer"
        case .broken(let reason): "the connection to the agent has broken: \(reason)"
        case .garbled(let reason): "the answer of the agent cannot be read: \(reason)"
        }
    }
}
