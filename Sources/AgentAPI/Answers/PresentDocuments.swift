internal import Agent
internal import GatewayProtocol
internal import Reports
internal import Scanning

/// The knowledge of an agent at one moment, and the position in the stream of its events from which on it changes.
struct Present: Sendable {
    let snapshot: ConstellationSnapshot
    let position: String
}

extension Agent {
    /// The present knowledge of the agent.
    var present: Present {
        get async {
            let snapshot = await constellation.snapshot
            return Present(snapshot: snapshot, position: EventPosition(self, snapshot.revision).description)
        }
    }
}

/// The gateways, and other things.
struct GatewaysDocument: JSONReport {
    private let present: Present

    init(_ present: Present) {
        self.present = present
    }

    var fields: [String: JSONValue] {
        var fields = present.snapshot.rowFields
        fields["position"] = .string(present.position)
        return fields
    }
}

/// The services.
struct ServicesDocument: JSONReport {
    private let present: Present

    init(_ present: Present) {
        self.present = present
    }

    var fields: [String: JSONValue] {
        [
            "services": .array(present.snapshot.services.map { ServiceReport($0).json }),
            "position": .string(present.position),
        ]
    }
}

/// The sessions.
struct SessionsDocument: JSONReport {
    private let present: Present

    init(_ present: Present) {
        self.present = present
    }

    var fields: [String: JSONValue] {
        [
            "sessions": .array(present.snapshot.sessions.map { SessionReport($0, at: .now).json }),
            "position": .string(present.position),
        ]
    }
}

extension ConstellationSnapshot {
    /// The rows, by their keys in a document.
    var rowFields: [String: JSONValue] {
        let network = NetworkSnapshot(rows: gateways, services: services)
        return [
            "gateways": .array(network.gateways.map { GatewayReport($0).json }),
            "others": .array(network.others.map { OtherReport($0).json }),
        ]
    }
}
