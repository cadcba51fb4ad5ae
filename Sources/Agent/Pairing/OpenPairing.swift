package import GatewayProtocol
package import Pairing
package import Reports

/// A pairing that somebody has begun by the agent, as it is now. It holds no secret.
package struct OpenPairing: Hashable, Sendable, Identifiable {
    /// The step of a pairing.
    package enum Step: Hashable, Sendable {
        /// The gateway is looked up.
        case finding

        /// A setup code is to be fetched from a host. A question, since it can be fetched only once.
        case fetching(JoinURL)

        /// A step of the pairing itself.
        case pairing(PairingState)

        /// The name of the step, which stays the same from version to version.
        package var name: String {
            switch self {
            case .finding: "resolving"
            case .fetching: "fetching"
            case .pairing(let state): state.name
            }
        }

        /// Indicates whether the step waits for an answer.
        package var isQuestion: Bool {
            switch self {
            case .finding: false
            case .fetching: true
            case .pairing(let state): state.isQuestion
            }
        }

        /// Indicates whether it is the last one.
        package var isFinal: Bool { if case .pairing(let state) = self { state.isFinal } else { false } }
    }

    /// The name of the pairing, which nobody can guess.
    package let id: String

    /// The time at which it began.
    package let start: Timestamp

    /// The time at which it is given up.
    package let end: Timestamp

    /// The present step.
    package internal(set) var step = Step.finding

    /// The number of the question that waits for an answer; `nil` if none does.
    package internal(set) var question: Int?

    /// The gateway that has answered; `nil` before it has.
    package private(set) var offer: PairingOffer?

    /// The number of questions so far.
    var questions = 0

    /// The bots that are wanted, by identifier or name; `nil` for all.
    package let bots: [String]?

    /// The name under which it is to be stored; `nil` for the gateway's own.
    package let name: String?

    /// The certificates that the gateway's advertisements name; `nil` if it is not advertised or not known yet.
    package internal(set) var advertisedLeaves: Set<String>?

    /// Enters a step.
    mutating func enter(_ step: Step) {
        self.step = step
        switch step {
        case .pairing(.confirming(let offer)), .pairing(.pairing(let offer)): self.offer = offer
        default: break
        }
        question = nil
        guard step.isQuestion else { return }
        questions += 1
        question = questions
    }
}
