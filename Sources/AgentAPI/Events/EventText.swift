internal import Agent
internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// The updates of a constellation as server-sent events.
enum EventText {
    /// A comment, which is no event.
    static let comment = ":\n\n"

    /// The event that tells the views of this program that the first look of the agent is over.
    static let looked = "event: looked\ndata: {}\n\n"

    /// Returns the events of an update; an empty text if nothing in it is worth an event, such as a new round-trip time.
    static func text(_ update: ConstellationUpdate, at position: EventPosition, _ form: EventForm) -> String {
        if form == .recording {
            let data = String(decoding: update.recording.encoded, as: UTF8.self)
            return "event: update\nid: \(position)\ndata: \(data)\n\n"
        }
        let events: [(name: String, data: any JSONReport)] =
            switch update {
            case .snapshot(let snapshot): [("snapshot", SnapshotEvent(snapshot))]
            case .changes(let changes, _): changes.compactMap(event)
            }
        return events.enumerated().map { index, event in
            // Whoever resumes after it must have all that changed together with it.
            let identifier = index == events.count - 1 ? "id: \(position)\n" : ""
            // A document is one line, with its line feed.
            return "event: \(event.name)\n\(identifier)data: \(event.data.line)\n"
        }
        .joined()
    }

    /// Returns an event for each pairing that is not as it was. It has no identifier: whoever resumes gets all of them.
    static func text(_ pairings: OpenPairings.Snapshot, since before: OpenPairings.Snapshot?) -> String {
        let known = Set(before?.pairings ?? [])
        return pairings.pairings.filter { !known.contains($0) }
            .map { "event: pairing\ndata: \(OpenPairingDocument($0).line)\n" }
            .joined()
    }

    private static func event(_ change: ConstellationChange) -> (String, any JSONReport)? {
        switch change {
        case .gateway(.changed(_, let aspects)) where aspects == [.latency]: nil
        case .gateway(let change): ("gateway", RowEvent(change: change, time: .now))
        case .service(let change): ("service", ServiceChangeReport(change, at: .now))
        case .backend(let condition): ("backend", BackendEvent(condition))
        case .session(.found(let session)), .session(.changed(let session)):
            ("session", SessionReport(session, at: .now))
        case .session(.lost(let session, let loss)): ("session", LostSessionEvent(session: session, loss: loss))
        }
    }
}

/// Everything at one moment.
private struct SnapshotEvent: JSONReport {
    private let snapshot: ConstellationSnapshot

    init(_ snapshot: ConstellationSnapshot) {
        self.snapshot = snapshot
    }

    var fields: [String: JSONValue] {
        var fields = snapshot.rowFields
        fields["services"] = .array(snapshot.services.map { ServiceReport($0).json })
        fields["sessions"] = .array(snapshot.sessions.map { SessionReport($0, at: .now).json })
        fields["backends"] = .array(snapshot.backends.map { BackendEvent($0).json })
        return fields
    }
}

/// A change of a row of the map.
private struct RowEvent: JSONReport {
    let change: BotMapChange
    let time: Timestamp

    var fields: [String: JSONValue] {
        switch change {
        case .found(let row): return GatewayChangeReport(.found(row), at: time).fields
        case .changed(let row, let aspects):
            return GatewayChangeReport(.changed(row, since: row, aspects), at: time).fields
        case .problem(let problem): return GatewayChangeReport(.problem(problem), at: time).fields
        case .lost(let row, let other):
            var fields = GatewayChangeReport(.lost(row, into: nil), at: time).fields
            fields["into"] = other.map { .string($0.description) }
            return fields
        }
    }
}

/// The condition of a backend.
private struct BackendEvent: JSONReport {
    private let condition: BackendCondition

    init(_ condition: BackendCondition) {
        self.condition = condition
    }

    var fields: [String: JSONValue] {
        let (word, reason): (String, String?) =
            switch condition.status {
            case .starting: ("starting", nil)
            case .running: ("running", nil)
            case .unavailable(let error): ("unavailable", error.message)
            }
        return [
            "backend": .string(condition.source.rawValue),
            "state": .string(word),
            "reason": JSONValue(reason),
            "warnings": JSONValue(condition.warnings.map(\.message)),
        ]
    }
}

/// A session that is shown no more.
private struct LostSessionEvent: JSONReport {
    let session: ShownSession
    let loss: SessionLoss

    var fields: [String: JSONValue] {
        var fields = SessionReport(session, at: .now).fields
        fields["lost"] = .string(loss.rawValue)
        return fields
    }
}
