package import GatewayProtocol

/// A cause that was found: one sentence for people, and the one command that helps.
package struct Finding: Hashable, Sendable {
    /// The host on which a command is to be typed.
    package enum Host: String, Hashable, Sendable {
        /// This device.
        case here
        /// The host of the gateway.
        case gateway
        /// Another device, which is an admin of the gateway.
        case admin
    }

    /// The cause.
    package let cause: Cause

    /// A sentence: what is wrong. Cleaned.
    package let sentence: String

    /// The command that helps, or shows more.
    package let command: String

    /// The host on which the command is to be typed.
    package let host: Host

    init(_ cause: Cause, _ sentence: String, _ command: String, on host: Host = .here) {
        self.cause = cause
        self.sentence = sentence
        self.command = command
        self.host = host
    }
}

extension Finding: JSONReport {
    package var fields: [String: JSONValue] {
        [
            "cause": .string(cause.rawValue), "sentence": .string(sentence), "command": .string(command),
            "typedOn": .string(host.rawValue),
        ]
        .with(.formerCause, words: FormerWords.ofGateways)
    }
}
