/// The reason why an agent did not answer.
package enum AgentClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No agent of this user runs.
    case absent

    /// It did not answer in time.
    case timedOut

    /// The connection has broken.
    case broken(String)

    /// Its answer cannot be read.
    case garbled(String)

    package var description: String {
        switch self {
        case .absent: "no agent of this user runs"
        case .timedOut: "the agent does not answer"
        case .broken(let reason): "the connection to the agent has broken: \(reason)"
        case .garbled(let reason): "the answer of the agent cannot be read: \(reason)"
        }
    }
}
