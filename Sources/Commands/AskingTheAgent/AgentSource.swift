internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Reports
internal import Scanning
internal import Synchronization

/// The network and the sessions as the agent of this user sees them.
///
/// An agent that ends is waited for, since a service manager starts it again. It is read again only after its first look:
/// before that it knows less than what there is, and what it does not know yet would count as lost. If it does not come back,
/// another source takes its place.
struct AgentSource: WatchSource {
    /// The query for the events that have all that is shown.
    static let query = "?form=recording"

    /// The query for those events of an agent that has just begun.
    private static let queryAfterReturn = "\(query)&looked=true"

    /// The time within which an agent has to be back.
    private static let returnTimeout = Duration.seconds(5)

    /// The time within which an agent that is back has to begin to answer, and between two looks for it.
    private static let headTimeout = Duration.seconds(1)
    private static let step = Duration.milliseconds(250)

    /// The reason why there are no more events.
    private enum End {
        case ended, silent, unreadable
    }

    /// The agent after it has ended.
    private enum Return {
        case back(AgentEvents)
        case ofVersion(String?)
        case away
    }

    let client: AgentClient

    /// The events, from the first one on.
    let events: AgentEvents

    /// The source in place of the agent, should that end.
    let otherwise: @Sendable () async throws -> any WatchSource

    /// The rows that were shown last.
    let rows = ShownRows()

    var name: String { "agent" }

    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws {
        let show: @Sendable (ConstellationUpdate, Timestamp) throws -> Void = { update, time in
            rows.take(update)
            try show(update, time)
        }
        let revision = Mutex<UInt64>(0)
        let say: @Sendable (BackendStatus) throws -> Void = { status in
            let condition = BackendCondition(source: .agent, status: status)
            try show(.changes([.backend(condition)], revision: revision.withLock { $0 }), .now)
        }
        // The time since which nothing has come from it.
        let away = Mutex<ContinuousClock.Instant?>(nil)
        var present: AgentEvents? = events
        while let events = present {
            let end = try await read(events, looked) { update, time in
                revision.withLock { $0 = update.revision }
                if away.withLock({ $0.take() }) != nil { try say(.running) }
                try show(update, time)
            }
            // One that hangs must not count this as somebody who watches.
            events.end()
            guard !Task.isCancelled else { return }
            let since = away.withLock { away in
                away = away ?? .now
                return away ?? .now
            }
            try say(.unavailable(Self.reason(end)))
            present = nil
            guard end != .unreadable else { break }
            switch await again(until: since + Self.returnTimeout) {
            case .back(let next): present = next
            case .ofVersion(let version): try say(.unavailable(Self.isOther(version)))
            case .away: break
            }
        }
        guard !Task.isCancelled else { return }
        try await otherwise().run(show, looked: looked)
    }

    /// Shows events until there are no more.
    private func read(
        _ events: AgentEvents,
        _ looked: (@Sendable (Timestamp) throws -> Void)?,
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void
    ) async throws -> End {
        try await withTaskCancellationHandler {
            try await LoopThread.run(name: "agent events") {
                while true {
                    /// The next update; `nil` if the agent tells that its first look is over.
                    let update: ConstellationUpdate?
                    do {
                        guard let event = try events.next() else { return .ended }
                        let data = try JSONValue(parsing: Array(event.data.utf8), limits: .ofAgents)
                        update = event.name == AgentEvents.looked ? nil : try ConstellationUpdate(recording: data)
                    } catch AgentClientError.broken {
                        return .ended
                    } catch AgentClientError.timedOut {
                        return .silent
                    } catch {
                        return .unreadable
                    }
                    if let update { try show(update, .now) } else { try looked?(.now) }
                }
            }
        } onCancel: {
            events.end()
        }
    }

    /// Waits for the agent.
    private func again(until deadline: ContinuousClock.Instant) async -> Return {
        while .now < deadline {
            guard (try? await Task.sleep(for: Self.step)) != nil else { return .away }
            let client = client
            let events = try? await LoopThread.run(name: "agent events") {
                try AgentEvents(client, Self.queryAfterReturn, within: Self.headTimeout)
            }
            guard let events else { continue }
            guard events.version == CommandLineTool.version else { return .ofVersion(events.version) }
            return .back(events)
        }
        return .away
    }

    private static func reason(_ end: End) -> BackendError {
        let limit = "If it is not back in \(returnTimeout.components.seconds) seconds, this looks for itself."
        return switch end {
        case .ended: BackendError(.noDaemon, "The agent has ended. \(limit)")
        case .silent: BackendError(.noDaemon, "The agent does not answer any more. \(limit)")
        case .unreadable:
            BackendError(.internalFault, "What the agent tells cannot be read, and this looks for itself.")
        }
    }

    private static func isOther(_ version: String?) -> BackendError {
        BackendError(
            .internalFault,
            "The agent that runs now has the version \(version ?? "-"), and this is \(CommandLineTool.version), which looks "
                + "for itself."
        )
    }
}

extension SightingSource {
    /// The agent, where a source is named.
    static let agent = SightingSource(rawValue: "the agent")
}
