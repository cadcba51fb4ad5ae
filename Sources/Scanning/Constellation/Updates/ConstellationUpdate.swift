public import DNSSD

/// An update that a reader of all that a ``Constellation`` shows gets; see ``Constellation/news(of:after:)``.
package enum ConstellationUpdate: Hashable, Sendable {
    /// Everything as it is now: as the first update, and whenever the reader was too slow to get every change.
    case snapshot(ConstellationSnapshot)

    /// The changes from one revision to the next that the reader has asked for, in their order; never none.
    case changes([ConstellationChange], revision: UInt64)

    /// The revision after this update. It grows from one update to the next, by any number.
    package var revision: UInt64 {
        switch self {
        case .snapshot(let snapshot): snapshot.revision
        case .changes(_, let revision): revision
        }
    }

    /// The conditions of backends in it.
    package var backends: [BackendCondition] {
        switch self {
        case .snapshot(let snapshot): snapshot.backends
        case .changes(let changes, _):
            changes.compactMap { if case .backend(let condition) = $0 { condition } else { nil } }
        }
    }
}

/// One change of what a ``Constellation`` shows.
package enum ConstellationChange: Hashable, Sendable {
    /// A row of the map has changed, and with it perhaps its bots.
    case gateway(BotMapChange)

    /// A service has changed.
    case service(ServiceChange)

    /// The condition of a backend has changed.
    case backend(BackendCondition)

    /// A session has changed.
    case session(SessionChange)

    /// The subject of the change.
    var topic: ConstellationTopics {
        switch self {
        case .gateway: .gateways
        case .service: .services
        case .backend: .backends
        case .session: .sessions
        }
    }
}

/// The subjects of which a reader is told.
package struct ConstellationTopics: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The gateways with their bots: the rows of the map.
    package static let gateways = ConstellationTopics(rawValue: 1 << 0)

    /// The services, including those that lead to no gateway.
    package static let services = ConstellationTopics(rawValue: 1 << 1)

    /// The conditions of the backends that find services.
    package static let backends = ConstellationTopics(rawValue: 1 << 2)

    /// The sessions with paired gateways.
    package static let sessions = ConstellationTopics(rawValue: 1 << 3)

    /// Everything.
    package static let all: ConstellationTopics = [.gateways, .services, .backends, .sessions]
}

/// Everything that a ``Constellation`` shows, at one moment. What a reader has not asked for is empty.
public struct ConstellationSnapshot: Hashable, Sendable {
    /// The revision that it shows: every change of the same or a lower revision is in it.
    public let revision: UInt64

    /// The gateways with their bots, sorted by their identifiers. A gateway that was known before and is not in here is
    /// gone; so is a service.
    public let gateways: [Gateway]

    /// The services, sorted by type and name.
    public let services: [DiscoveredService]

    /// The conditions of the backends, sorted by their names.
    package let backends: [BackendCondition]

    /// The sessions that are kept, sorted by the names of their gateways.
    package let sessions: [ShownSession]

    /// The last problems among the changes that this snapshot replaces, since the gateways do not show them.
    public let missedProblems: [BotMapProblem]

    package init(
        revision: UInt64,
        gateways: [Gateway] = [],
        services: [DiscoveredService] = [],
        backends: [BackendCondition] = [],
        sessions: [ShownSession] = [],
        missedProblems: [BotMapProblem] = []
    ) {
        self.revision = revision
        self.gateways = gateways
        self.services = services
        self.backends = backends
        self.sessions = sessions
        self.missedProblems = missedProblems
    }

    /// Returns a snapshot with these services as well, as far as it lacks them.
    package func adding(services more: [DiscoveredService]) -> ConstellationSnapshot {
        let known = Set(services.map(\.instance))
        let new = more.filter { !known.contains($0.instance) }
        guard !new.isEmpty else { return self }
        return ConstellationSnapshot(
            revision: revision,
            gateways: gateways,
            services: (services + new).sorted { $0.instance < $1.instance },
            backends: backends,
            sessions: sessions,
            missedProblems: missedProblems
        )
    }
}
