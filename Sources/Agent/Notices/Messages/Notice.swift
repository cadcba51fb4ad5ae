package import GatewayProtocol
package import Reports

/// One message to a person about what has happened to gateways. A value; the texts that come from the network are exact,
/// and cleaned where they are shown: ``title``, ``text``, ``report(id:)``.
package struct Notice: Hashable, Sendable {
    /// The subject of a message.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Gateways do not answer any more.
        case gone
        /// Gateways that were gone answer again.
        case back
        /// A gateway goes away again and again; there is one more message when it has settled.
        case unsteady
        /// A gateway that went away again and again stays as it is.
        case settled
        /// A gateway answers, but no more over one of its ways.
        case wayLost = "way-lost"
        /// A gateway answers again over a way that was lost.
        case wayBack = "way-back"
        /// A gateway answers, and says that it is not ready.
        case notReady = "not-ready"
        /// A gateway that was not ready is ready.
        case ready
        /// Devices wait at a gateway for an approval that this device may give.
        case approval
        /// Gateways are on the local network that were never there before.
        case newGateway = "new-gateway"
        /// A paired gateway shows another certificate than the pinned one.
        case changedCertificate = "changed-certificate"
        /// A paired gateway is not where or what it was at pairing.
        case moved
        /// Another gateway, or another machine, answers where the user has named a gateway.
        case replaced
        /// No trusted certificate proves a paired gateway.
        case uncertified
        /// A paired gateway refuses the session.
        case refused
        /// A paired gateway that refused the session accepts this device again.
        case accepted
        /// A paired gateway has revoked this device's access.
        case revoked
        /// No network of this host leads to gateways.
        case cutOff = "cut-off"
        /// A network of this host leads to them again.
        case reconnected
        /// This host was asleep.
        case asleep
        /// Somebody tries whether messages arrive.
        case test
    }

    /// A gateway that a message is about.
    package struct Subject: Hashable, Sendable {
        /// The key by which it is watched.
        package let key: String

        /// Its name. Untrusted.
        package let name: String
    }

    package let kind: Kind

    /// The gateways that it is about: none, one, or several to which the same has happened.
    package let subjects: [Subject]

    /// The time at which it was decided to tell.
    package let time: Timestamp

    /// The beginning of what it tells; `nil` if that is not known.
    package var since: Timestamp?

    /// The end of what it tells; `nil` if it lasts, or is not known.
    package var until: Timestamp?

    /// The reason, in words of this program alone.
    package var reason: String?

    /// The words of a refusal: whole sentences, which can quote the gateway, and can end with a command. Untrusted.
    package var refusal: String?

    /// The parts of the gateway that fail, as it names them. Untrusted.
    package var failing: [String] = []

    /// The devices that wait for an approval. Untrusted.
    package var devices: [DeviceRequest] = []

    /// The way that is lost or back.
    package var lost: Way?

    /// The ways over which the gateway answers, where one is lost.
    package var ways: [Way] = []

    /// The number of outages of a gateway that goes away again and again.
    package var outages: Int?

    /// Indicates whether the gateway of a message of kind ``Kind/settled`` answers.
    package var isAnswering: Bool?

    package init(_ kind: Kind, _ subjects: [Subject], at time: Timestamp) {
        self.kind = kind
        self.subjects = subjects
        self.time = time
    }
}
