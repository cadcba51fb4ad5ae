internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HummingbirdCore
internal import NIOCore
internal import Reports
internal import Scanning

/// The updates of a constellation as server-sent events.
enum EventText {
    /// A comment, which is no event.
    static let comment = ":\n\n"

    /// The event that tells the views of this program that the first look of the agent is over.
    static let looked = "event: looked\ndata: {}\n\n"

    /// The number of bytes from which on a piece is written.
    private static let pieceSize = 32_768

    /// Writes the events of an update, piece by piece; nothing if nothing in it is worth an event.
    ///
    /// - Parameter tellsLatency: Indicates whether a new round-trip time is worth one.
    @concurrent
    static func write(
        _ update: ConstellationUpdate,
        at position: EventPosition,
        _ form: EventForm,
        tellsLatency: Bool,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        if form == .recording {
            let document = PagedDocument(recording: update)
            return try await document.write(after: head("update", position), before: "\n\n", to: &writer)
        }
        let events: [(name: String, data: any JSONReport)] =
            switch update {
            case .snapshot(let snapshot): [("snapshot", SnapshotEvent(snapshot))]
            case .changes(let changes, _): changes.compactMap { event($0, tellsLatency: tellsLatency) }
            }
        var piece = ByteBuffer()
        for (index, event) in events.enumerated() {
            // Whoever resumes after it must have all that changed together with it.
            piece.writeString(head(event.name, index == events.count - 1 ? position : nil))
            // A document is one line, with its line feed.
            piece.writeString("\(event.data.line)\n")
            guard piece.readableBytes >= pieceSize else { continue }
            try await writer.write(piece)
            piece = ByteBuffer()
        }
        if piece.readableBytes > 0 { try await writer.write(piece) }
    }

    /// Writes the event of a snapshot with a crowd in it.
    ///
    /// - Parameter snapshot: The snapshot without the crowd.
    @concurrent
    static func write(
        _ snapshot: ConstellationSnapshot,
        _ outline: ConstellationOutline,
        of constellation: Constellation,
        at position: EventPosition,
        _ form: EventForm,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        switch form {
        case .recording:
            let fields = ConstellationUpdate.snapshot(snapshot).recording.object ?? [:]
            let members = fields.mapValues(PagedDocument.Member.value)
            let document = PagedDocument(members.merging(constellation.recordedLists(outline)) { $1 })
            try await document.write(after: head("update", position), before: "\n\n", to: &writer)
        case .report:
            var lists = constellation.rowLists(outline)
            lists["services"] = constellation.serviceList(outline)
            let document = PagedDocument(SnapshotEvent(snapshot), lists)
            try await document.write(after: head("snapshot", position), before: "\n\n", to: &writer)
        }
    }

    private static func head(_ name: String, _ position: EventPosition?) -> String {
        "event: \(name)\n\(position.map { "id: \($0)\n" } ?? "")data: "
    }

    /// Returns an event for each pairing that is not as it was. It has no identifier: whoever resumes gets all of them.
    static func text(_ pairings: OpenPairings.Snapshot, since before: OpenPairings.Snapshot?) -> String {
        let known = Set(before?.pairings ?? [])
        return pairings.pairings.filter { !known.contains($0) }
            .map { "event: pairing\ndata: \(OpenPairingDocument($0).line)\n" }
            .joined()
    }

    /// Returns the event of a change; `nil` if it is not worth one.
    static func event(_ change: ConstellationChange, tellsLatency: Bool) -> (name: String, data: any JSONReport)? {
        switch change {
        case .gateway(.changed(let row, let aspects)) where aspects == [.latency]:
            tellsLatency && row.roundTrip != nil ? ("latency", LatencyEvent(row: row, time: .now)) : nil
        case .gateway(let change): ("gateway", RowEvent(change: change, time: .now))
        case .service(let change): ("service", ServiceChangeReport(change, at: .now))
        case .backend(let condition): ("backend", BackendEvent(condition))
        case .session(.found(let session)), .session(.changed(let session)):
            ("session", SessionReport(session, at: .now))
        case .session(.lost(let session, let loss)): ("session", LostSessionEvent(session: session, loss: loss))
        }
    }
}

extension PagedDocument {
    /// Makes the recording of an update.
    fileprivate init(recording update: ConstellationUpdate) {
        switch update {
        case .snapshot: self.init((update.recording.object ?? [:]).mapValues(Member.value))
        case .changes(let changes, let revision):
            self.init([
                "revision": .value(JSONValue(revision)),
                "changes": .list(pages: changes.count) { [changes[$0].recording] },
            ])
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
        case .lost(let row): return GatewayChangeReport(.lost(row), at: time).fields
        case .joined(let row, let other):
            // The other row may be one that the reader has yet to get: only its identifier is told.
            var fields = GatewayChangeReport(.joined(row, into: row), at: time).fields
            fields["into"] = .string(other.description)
            return fields
        }
    }
}

/// A new round-trip time of a row of the map, without the rest of it: there is one every few seconds.
private struct LatencyEvent: JSONReport {
    let row: Gateway
    let time: Timestamp

    var fields: [String: JSONValue] {
        [
            "gateway": .string(row.id.description), "latencyMs": JSONValue(milliseconds: row.roundTrip),
            "time": .string(time.description),
        ]
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
