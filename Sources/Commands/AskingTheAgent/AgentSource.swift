internal import AgentClient
internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Reports
internal import Synchronization

/// The network and the sessions as the agent of this user sees them.
///
/// An agent that ends is waited for, since a service manager starts it again; if it does not come back, another source takes
/// its place.
struct AgentSource: WatchSource {
    /// The query for the events that have all that is shown.
    static let query = "?form=recording"

    /// The time within which an agent has to be back.
    private static let patience = Duration.seconds(5)

    /// The time between two looks for an agent that has ended.
    private static let step = Duration.milliseconds(250)

    /// The agent, where a source is named.
    private static let agent = SightingSource(rawValue: "the agent")

    private static let hasEnded = BackendError(
        .noDaemon,
        "The agent has ended. If it is not back in \(patience.components.seconds) seconds, this looks for itself."
    )

    private static let isUnreadable = BackendError(
        .internalFault,
        "What the agent tells cannot be read, and this looks for itself."
    )

    let client: AgentClient

    /// The events, from the first one on.
    let events: AgentEvents

    /// The source in place of the agent, should that end.
    let otherwise: @Sendable () async throws -> any WatchSource

    /// The rows that were shown last.
    let rows = ShownRows()

    var name: String { "agent" }

    func run(_ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void) async throws {
        let show: @Sendable (ConstellationUpdate, Timestamp) throws -> Void = { update, time in
            rows.take(update)
            try show(update, time)
        }
        var events = events
        let revision = Mutex<UInt64>(0)
        while !Task.isCancelled {
            let isReadable = try await read(events) { update, time in
                revision.withLock { $0 = update.revision }
                try show(update, time)
            }
            guard !Task.isCancelled else { return }
            try show(
                Self.condition(
                    .unavailable(isReadable ? Self.hasEnded : Self.isUnreadable),
                    at: revision.withLock { $0 }
                ),
                .now
            )
            guard isReadable, let next = await again() else { break }
            try show(Self.condition(.running, at: revision.withLock { $0 }), .now)
            events = next
        }
        guard !Task.isCancelled else { return }
        try await otherwise().run(show)
    }

    /// Shows events until there are no more.
    ///
    /// - Returns: `false` if there may be more, and they cannot be read.
    private func read(
        _ events: AgentEvents,
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void
    ) async throws -> Bool {
        try await withTaskCancellationHandler {
            try await LoopThread.run(name: "agent events") {
                while true {
                    let update: ConstellationUpdate
                    do {
                        guard let event = try events.next() else { return true }
                        let data = try JSONValue(parsing: Array(event.data.utf8), limits: .ofAgents)
                        update = try ConstellationUpdate(recording: data)
                    } catch AgentClientError.broken {
                        return true
                    } catch {
                        return false
                    }
                    try show(update, .now)
                }
            }
        } onCancel: {
            events.end()
        }
    }

    /// Waits for the agent.
    ///
    /// - Returns: Its events; `nil` if it does not come back in time, or in another version.
    private func again() async -> AgentEvents? {
        let deadline = ContinuousClock.now + Self.patience
        while .now < deadline {
            guard (try? await Task.sleep(for: Self.step)) != nil else { return nil }
            let client = client
            let events = try? await LoopThread.run(name: "agent events") { try AgentEvents(client, Self.query) }
            if let events { return events.version == CommandLineTool.version ? events : nil }
        }
        return nil
    }

    private static func condition(_ status: BackendStatus, at revision: UInt64) -> ConstellationUpdate {
        .changes([.backend(BackendCondition(source: agent, status: status))], revision: revision)
    }
}
