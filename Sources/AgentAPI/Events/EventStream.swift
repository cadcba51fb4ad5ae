internal import Agent
internal import Constellation
internal import HTTPTypes
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
    private let form: EventForm

    /// - Parameters:
    ///   - identifier: The identifier of the last event that the reader has; `nil` if it begins.
    ///   - counts: Indicates whether somebody watches, so that gateways are asked more often.
    ///   - form: The form of the events.
    init(_ agent: Agent, after identifier: String?, counts: Bool, form: EventForm) {
        self.agent = agent
        self.revision = identifier.flatMap { EventPosition($0, of: agent) }?.revision
        self.counts = counts
        self.form = form
    }

    /// Makes the stream that a request asks for.
    init(_ agent: Agent, _ query: APIQuery) throws(APIProblem) {
        let word = query.parameters["form"] ?? EventForm.report.rawValue
        guard let form = EventForm(rawValue: word) else {
            throw APIProblem(.badRequest, "form: expected report or recording, found another")
        }
        self.init(agent, after: query.lastEvent, counts: query.parameters["visible"] != "false", form: form)
    }

    /// Writes events until the reader has gone or the agent ends.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        if counts { await agent.beginWatching() }
        var failure: (any Error)?
        do {
            for await update in agent.constellation.news(after: revision) {
                let text = EventText.text(update, at: EventPosition(agent, update.revision), form)
                if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            }
        } catch {
            failure = error
        }
        if counts { await agent.endWatching() }
        if let failure { throw failure }
    }
}

/// The form of the events of an agent.
enum EventForm: String, Hashable, Sendable {
    /// As other programs read them.
    case report

    /// With all that a view of this program shows, and of the same version only: one for each update.
    case recording
}
