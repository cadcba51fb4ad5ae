package import GatewayProtocol

/// A name that version 1 of the JSON has for something that version 2 calls otherwise. Until version 3 it stands beside the
/// new one, for programs that were written for version 1; this is the one place that knows it.
package enum FormerName: String, Sendable, CaseIterable {
    /// `time`: when a change was noticed.
    case at

    /// `gatewayName`: the name of the gateway that something belongs to. A gateway, a bot and a device have a `name` of
    /// their own.
    case name

    /// `pairing`: the number of a pairing, in the history and in messages.
    case key

    /// `state`, in the words of version 1.
    case formerState

    /// `cause` of a diagnosis, in the words of version 1.
    case formerCause

    /// `event` of a row that has joined another one: `lost`.
    case formerEvent

    /// The name in version 2.
    package var name: String {
        switch self {
        case .at: "time"
        case .name: "gatewayName"
        case .key: "pairing"
        case .formerState: "state"
        case .formerCause: "cause"
        case .formerEvent: "event"
        }
    }
}

/// The words of version 1 for states, by those of now, where they differ.
package enum FormerWords {
    private static let certificate = ["changed-certificate": "changed-leaf"]

    /// The former words of the states of gateways, and of the causes of their troubles.
    package static let ofGateways = certificate.merging(["gone": "away"]) { $1 }

    /// The former words of the states of sessions and bots.
    package static let ofSessions = certificate.merging(["gone": "disconnected"]) { $1 }

    /// The former words of the events of gateways.
    package static let ofEvents = ["joined": "lost"]

    /// The former words of the flags of gateways. Both words stand among them.
    package static let ofFlags = ["changed-certificate": "changedLeaf"]
}

extension [String: JSONValue] {
    /// Returns the fields with those beside them that version 1 has for the same values.
    ///
    /// - Parameters:
    ///   - name: The name in version 1.
    ///   - words: The words of version 1 by those of now, where they differ.
    package func with(_ name: FormerName, words: [String: String] = [:]) -> [String: JSONValue] {
        var fields = self
        let value = fields[name.name]
        fields[name.rawValue] = value?.string.flatMap { words[$0] }.map(JSONValue.string) ?? value
        return fields
    }
}
