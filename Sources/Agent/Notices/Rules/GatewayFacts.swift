package import GatewayProtocol

/// The facts about a watched gateway at one moment. A value.
package struct GatewayFacts: Hashable, Sendable {
    /// The presence of a gateway: whether it answers.
    package enum Presence: Hashable, Sendable {
        /// It answers.
        case answering
        /// It left a question or two unanswered.
        case silent
        /// It does not answer any more.
        case gone
        /// Nobody has an answer to that yet.
        case unknown
    }

    /// The gateway, as messages name it.
    package var subject: Notice.Subject

    package var presence: Presence

    /// The time of its last answer, as far as that is known.
    package var heard: ContinuousClock.Instant?

    /// Indicates whether a network of this host leads to it. Where none does, its silence says nothing about it.
    package var hasNetwork = true

    /// Indicates whether neighbours on its link are asked at the moment, whose silence would say that its own is this host's.
    package var awaitsNeighbours = false

    /// The reason why none does though there is one, in words of this program; `nil` where there is none.
    package var networkTrouble: String?

    /// The ways to it, and whether it answers over each. One that was not asked lately is left out.
    package var ways: [Way: Bool] = [:]

    /// Those of the ways that only records have brought, at which nothing is proved.
    package var claimedWays: Set<Way> = []

    /// The readiness that it reports; `nil` while that is not known.
    package var readiness: Readiness?

    /// The troubles that stand in the way of a session with it.
    package var troubles: Set<Trouble> = []

    /// The words of a refusal among them: whole sentences for people, which can quote the gateway, and can end with a command.
    package var refusal: String?

    /// The reason of that refusal, whose words can change while it stays the same; `nil` if it is not known.
    package var refusalReason: SessionRefusal.Reason?

    /// Indicates whether it has accepted this device: a session is live, and none is refused.
    package var isAccepted = false

    /// The reason why it does not answer, in words of this program alone.
    package var reason: String?

    /// The devices that wait there for an approval which this device may give; `nil` while that is not known.
    package var approvals: [DeviceRequest]?

    /// The name that the user has given it; `nil` if it has none.
    package var alias: String?

    /// Indicates whether the user has paired or named it. Anybody can make up any number of others.
    package var isOwn: Bool

    /// The one who answers where the user has named it; `nil` while that is not known.
    package var holder: Occupant?

    /// Creates the facts about a gateway with nothing to report.
    package init(_ subject: Notice.Subject, _ presence: Presence, isOwn: Bool = true) {
        self.subject = subject
        self.presence = presence
        self.isOwn = isOwn
    }
}
