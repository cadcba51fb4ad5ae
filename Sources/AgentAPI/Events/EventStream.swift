internal import Agent
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Reports
internal import Scanning

/// Everything that an agent shows, and then every change, as server-sent events: one `snapshot`, then events that each are
/// one change.
///
/// The last event of those that changed together has an identifier, from which on a reader can resume. A reader that is too
/// slow gets another snapshot in place of what it has missed.
struct EventStream: Sendable {
    /// The time between two comments, by which a reader knows that the agent still runs.
    static let heartbeat = Duration.seconds(15)

    /// The maximum time for which a first look is waited for.
    private static let lookTimeout = Duration.seconds(6)

    /// The part that is written next.
    private enum Item: Sendable {
        case update(ConstellationUpdate)

        /// A snapshot with a crowd, which is apart: whatever is in that is read when it is written.
        case crowd(ConstellationSnapshot, ConstellationOutline)
        case pairings(OpenPairings.Snapshot)
        case heartbeat

        /// The first look of the agent, which the reader waits for, is over.
        case awaited

        /// The first look of the agent, of which a view is told once, is over.
        case looked
        case end
    }

    private let agent: Agent
    private let revision: UInt64?
    private let counts: Bool
    private let waits: Bool
    private let tellsLatency: Bool
    private let form: EventForm

    /// Makes the stream that a request asks for. Its query says with `visible=false` that nobody watches, so that gateways
    /// are not asked more often; with `looked=true` that it begins after the first look of the agent; with `latency=true` that
    /// it tells changes of round-trip times alone, too; and the form.
    init(_ agent: Agent, _ query: APIQuery) throws(APIProblem) {
        let word = query.parameters["form"] ?? EventForm.report.rawValue
        guard let form = EventForm(rawValue: word) else {
            throw APIProblem(.badRequest, "form: expected report or recording, found another")
        }
        self.agent = agent
        self.revision = query.lastEvent.flatMap { EventPosition($0, of: agent) }?.revision
        self.counts = query.parameters["visible"] != "false"
        self.waits = query.parameters["looked"] == "true"
        self.tellsLatency = query.parameters["latency"] == "true"
        self.form = form
    }

    /// Writes events until the reader has gone or the agent ends.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        if counts { await agent.beginWatching() }
        var failure: (any Error)?
        do {
            try await writeEvents(to: &writer)
        } catch {
            failure = error
        }
        if counts { await agent.endWatching() }
        if let failure { throw failure }
    }

    private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
        /// The pairings that were written; `nil` as long as nothing was.
        var written: OpenPairings.Snapshot?
        let updates = agent.constellation.news(after: revision).makeAsyncIterator()
        var tellsLook = form == .recording
        /// Begins to read the pairings, once. A view of this program does not show them.
        func showPairings(_ group: inout ThrowingTaskGroup<Item, any Error>) {
            guard written == nil, form == .report else { return }
            written = OpenPairings.Snapshot()
            group.addTask { [agent] in await Self.nextPairings(agent, after: 0) }
        }
        /// Waits for whatever comes after an update.
        func followUp(_ group: inout ThrowingTaskGroup<Item, any Error>) {
            group.addTask { [agent, form] in await Self.next(updates, of: agent, form) }
            showPairings(&group)
            // After what was there before: a gateway that is not shown yet cannot be away.
            if tellsLook { group.addTask { [agent] in await Self.look(agent, .looked) } }
            tellsLook = false
        }
        try await withThrowingTaskGroup(of: Item.self) { group in
            defer { group.cancelAll() }
            group.addTask { await Self.nextHeartbeat() }
            // They come after the first snapshot; whoever resumes may wait long for the next update.
            if revision != nil { showPairings(&group) }
            if waits {
                group.addTask { [agent] in await Self.look(agent, .awaited) }
            } else {
                group.addTask { [agent, form] in await Self.next(updates, of: agent, form) }
            }
            while let item = try await group.next() {
                // Whatever ends together with the agent is no loss to tell.
                guard !Task.isCancelled else { return }
                switch item {
                case .update(let update):
                    let position = EventPosition(agent, update.revision)
                    try await EventText.write(update, at: position, form, tellsLatency: tellsLatency, to: &writer)
                    followUp(&group)
                case .crowd(let snapshot, let outline):
                    let position = EventPosition(agent, snapshot.revision)
                    let constellation = agent.constellation
                    try await EventText.write(snapshot, outline, of: constellation, at: position, form, to: &writer)
                    followUp(&group)
                case .pairings(let pairings):
                    let text = EventText.text(pairings, since: written)
                    if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
                    written = pairings
                    group.addTask { [agent] in await Self.nextPairings(agent, after: pairings.revision) }
                case .heartbeat:
                    try await writer.write(ByteBuffer(string: EventText.comment))
                    group.addTask { await Self.nextHeartbeat() }
                case .awaited: group.addTask { [agent, form] in await Self.next(updates, of: agent, form) }
                case .looked: try await writer.write(ByteBuffer(string: EventText.looked))
                case .end: return
                }
            }
        }
    }

    private static func next(
        _ updates: ConstellationUpdates.AsyncIterator,
        of agent: Agent,
        _ form: EventForm
    ) async -> Item {
        // Copies of the iterator share their position.
        var updates = updates
        switch await updates.next() {
        case nil: return .end
        case .snapshot(let snapshot) where snapshot.isCrowd:
            // The changes that the reader gets next are those after the snapshot, which is not younger than the outline.
            let outline =
                switch form {
                case .report: await agent.constellation.outline(by: NetworkSnapshot.areInOrder)
                case .recording: await agent.constellation.outline()
                }
            return .crowd(snapshot.withoutCrowd, outline)
        case let update?: return .update(update)
        }
    }

    /// Waits until the first look of an agent is over, or has taken too long.
    private static func look(_ agent: Agent, _ item: Item) async -> Item {
        await agent.waitForFirstLook(until: .now + lookTimeout)
        return item
    }

    private static func nextPairings(_ agent: Agent, after revision: UInt64) async -> Item {
        await agent.openPairings.snapshot(after: revision).map(Item.pairings) ?? .end
    }

    private static func nextHeartbeat() async -> Item {
        (try? await Task.sleep(for: heartbeat)) == nil ? .end : .heartbeat
    }
}

/// The form of the events of an agent.
enum EventForm: String, Hashable, Sendable {
    /// As other programs read them.
    case report

    /// With all that a view of this program shows, and of the same version only: one for each update.
    case recording
}
