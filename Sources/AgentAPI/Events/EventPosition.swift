internal import Agent
internal import Reports

/// A place in the stream of the events of an agent: a revision, which counts from the start of the agent, and that start.
struct EventPosition: Hashable, CustomStringConvertible {
    /// The start of the agent, in milliseconds since 1970: a position of another run means nothing in this one.
    private let epoch: Int

    let revision: UInt64

    init(_ agent: Agent, _ revision: UInt64) {
        epoch = agent.start.milliseconds
        self.revision = revision
    }

    /// Reads the identifier of an event; `nil` if it is none of this agent's run.
    init?(_ text: String, of agent: Agent) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let revision = UInt64(parts[1]) else { return nil }
        self.init(agent, revision)
        guard parts[0] == "\(epoch)" else { return nil }
    }

    var description: String { "\(epoch)-\(revision)" }
}
