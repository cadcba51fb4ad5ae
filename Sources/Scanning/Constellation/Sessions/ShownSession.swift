package import GatewayProtocol

/// The session of one credential with a paired gateway, as it is shown. It has no secret in it.
///
/// Whoever keeps sessions reports it to the ``Constellation`` with ``Constellation/note(_:)-(ShownSession)``.
package struct ShownSession: Hashable, Sendable, Identifiable {
    /// The state of a session, in the word that every view shows.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// A connection is being opened, or the gateway has been asked for the session.
        case connecting
        /// The session is live.
        case connected
        /// The gateway does not answer, and is looked for.
        case gone
        /// There is no session, since none is wanted, or this device cannot have one.
        case disconnected
        /// A gateway without TLS has another address or network than before: nothing is sent until the user consents.
        case moved
        /// The gateway presents another certificate than the pinned one: nothing is sent until the user consents.
        case changedLeaf = "changed-certificate"
        /// No trusted certificate proves that the gateway is the host that it was paired as: nothing is sent to it.
        case uncertified
        /// The gateway has revoked this device's credential.
        case revoked
        /// The gateway refuses the session, and will do so until somebody changes something; or it hangs up on the token, and
        /// is asked again in a while.
        case refused
        /// The session waits for an answer, an approval or the end of a lock-out.
        case waiting
        /// The key that decrypts the secrets in the store is missing.
        case sealed
        /// Another process has the session.
        case heldElsewhere = "held-elsewhere"

        /// Reads a state, also as older versions wrote it.
        package init?(rawValue: String) {
            guard let state = Self.read(rawValue) else { return nil }
            self = state
        }
    }

    /// A remedy of the user for a session that does not come about by itself.
    package enum Remedy: String, Hashable, Sendable {
        /// Ask for it: it is not wanted.
        case connect
        /// Accept the certificate that is shown now.
        case acceptLeaf
        /// Accept the address at which the gateway is now.
        case acceptAddress
        /// Accept the machine of the tailnet that has its address now.
        case acceptNode
        /// Accept the tunnel that leads to it now.
        case acceptTunnel
        /// Pair with it anew, by the certificate that it has now.
        case pairAnew
        /// Find out why: nothing accepts what is found in its place.
        case diagnose
    }

    /// A bot that the session opens.
    package struct Bot: Hashable, Sendable, Identifiable {
        /// The identifier that the gateway gives it.
        package let id: BotID

        /// Its name as it was last reported. Untrusted.
        package let name: String

        /// Its emoji at that time. Untrusted.
        package let emoji: String?

        /// Indicates whether the user has archived it.
        package let isArchived: Bool

        /// Creates a bot; by default one without an emoji that is not archived.
        package init(id: BotID, name: String, emoji: String? = nil, isArchived: Bool = false) {
            self.id = id
            self.name = name
            self.emoji = emoji
            self.isArchived = isArchived
        }
    }

    /// The identifier of the credential.
    package let id: String

    /// The identifier of the pairing.
    package let pairing: String

    /// The identifier of the gateway, as the pairing has it.
    package let gateway: String

    /// The name of the gateway as it was last reported. Untrusted.
    package let name: String

    /// The bots that it opens.
    package let bots: [Bot]

    /// The state.
    package let state: State

    /// The reason for the state, as a sentence for people; `nil` if there is nothing to explain. It quotes no secret.
    package let reason: String?

    /// The remedy for the state; `nil` if there is nothing that the user can do.
    package let remedy: Remedy?

    /// The place that it is connected to; `nil` while it is not.
    package let path: String?

    /// Indicates whether that is another place than that of the pairing, of a gateway without TLS that is trusted anywhere
    /// in its network.
    package let isElsewhere: Bool

    /// The time that the last answer took, when the state was reported.
    package let latency: Duration?

    /// The time at which the state began.
    package let since: ContinuousClock.Instant

    /// The devices that wait at the gateway for an approval; `nil` where this device is no admin, or while that is not
    /// known. All of it is untrusted.
    package var requests: [DeviceRequest]?

    /// Indicates whether a session that waits was refused, and is so until somebody acts at the gateway.
    package var waitsForPerson = false

    /// The reason of the refusal that lasts; `nil` if there is none.
    package var refusal: SessionRefusal.Reason?

    /// Creates a session; by default without a reason, a remedy, a path, a latency and devices that wait.
    package init(
        id: String,
        pairing: String,
        gateway: String,
        name: String,
        bots: [Bot],
        state: State,
        reason: String? = nil,
        remedy: Remedy? = nil,
        path: String? = nil,
        isElsewhere: Bool = false,
        latency: Duration? = nil,
        since: ContinuousClock.Instant
    ) {
        self.id = id
        self.pairing = pairing
        self.gateway = gateway
        self.name = name
        self.bots = bots
        self.state = state
        self.reason = reason
        self.remedy = remedy
        self.path = path
        self.isElsewhere = isElsewhere
        self.latency = latency
        self.since = since
    }
}

/// A change of the sessions that are shown.
package enum SessionChange: Hashable, Sendable {
    /// A session that was not shown before.
    case found(ShownSession)

    /// A session that has another state.
    case changed(ShownSession)

    /// A session that is shown no more, in its last state.
    case lost(ShownSession, SessionLoss)
}

/// A reason why a session is shown no more.
package enum SessionLoss: String, Hashable, Sendable, CaseIterable {
    /// It is unpaired, revoked or forgotten.
    case unpaired

    /// Whoever kept it has ended.
    case notKept
}
