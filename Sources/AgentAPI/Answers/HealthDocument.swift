internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// The health of an agent: whether it works, with the parts that do not.
struct HealthDocument: JSONReport {
    private let parts: [AgentPartState]

    /// - Parameter parts: The parts that are looked at; if there are none, that it answers is all that counts.
    init(_ parts: [AgentPartState]) {
        self.parts = parts
    }

    /// Indicates whether every part works, if not in full.
    var isReady: Bool { parts.allSatisfy(\.state.isWorking) }

    var fields: [String: JSONValue] {
        [
            "ready": .bool(isReady),
            "parts": .array(parts.filter { $0.state.word != .running }.map { PartReport($0).json }),
        ]
    }
}

/// A part of an agent, with its state.
struct PartReport: JSONReport {
    private let part: AgentPartState

    init(_ part: AgentPartState) {
        self.part = part
    }

    var fields: [String: JSONValue] {
        [
            "name": .string(part.name),
            "state": .string(part.state.word.rawValue),
            "reason": JSONValue(part.state.reason.map { DisplayText(sentence: $0).text }),
            "since": .string(part.state.since.description),
            "ends": .number(JSONNumber(part.ends)),
        ]
    }
}
