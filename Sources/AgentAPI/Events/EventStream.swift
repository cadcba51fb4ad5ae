internal import Agent
internal import Constellation
internal import HummingbirdCore
internal import NIOCore

/// Everything that an agent shows, and then every change, as server-sent events: one `snapshot`, then events that each are
/// one change.
///
/// The last event of those that changed together has an identifier, from which on a reader can resume. A reader that is too
/// slow gets another snapshot in place of what it has missed.
struct EventStream: Sendable {
    private let agent: Agent
    private let revision: UInt64?
    private let counts: Bool

    /// - Parameters:
    ///   - identifier: The identifier of the last event that the reader has; `nil` if it begins.
    ///   - counts: Indicates whether somebody watches, so that gateways are asked more often.
    init(_ agent: Agent, after identifier: String?, counts: Bool) {
        self.agent = agent
        self.revision = identifier.flatMap { EventPosition($0, of: agent) }?.revision
        self.counts = counts
    }

    /// Writes events until the reader has gone or the agent ends.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        if counts { await agent.beginWatching() }
        var failure: (any Error)?
        do {
            for await update in agent.constellation.news(after: revision) {
                let text = EventText.text(update, at: EventPosition(agent, update.revision))
                if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            }
        } catch {
            failure = error
        }
        if counts { await agent.endWatching() }
        if let failure { throw failure }
    }
}
