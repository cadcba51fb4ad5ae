package import Scanning

/// The state of a paired gateway in one word, which is the same in every view.
package enum PairedState: String, Hashable, Sendable, CaseIterable {
    /// A session is live.
    case connected

    /// A session is being opened.
    case connecting

    /// It is as it was at pairing, and answers; nothing keeps a session with it.
    case paired

    /// It is paired, and does not answer.
    case gone

    /// Something claims to be it, or is in its place, and is not as it was at pairing: nothing is sent to it.
    case moved

    /// It shows another certificate than the pinned one: nothing is sent to it.
    case changedLeaf = "changed-certificate"

    /// No trusted certificate proves that it is the host it was paired as: nothing is sent to it.
    case uncertified

    /// It has asked for time, or waits for its operator's approval; or a session waits for its turn.
    case waiting

    /// It refuses the session, until somebody changes something; or hangs up on the token, and is asked again in a while.
    case refused

    /// This device itself cannot have a session.
    case failed

    /// It has revoked this device's access.
    case revoked

    /// The user has not trusted it yet: nothing is sent to it.
    case awaitsTrust = "awaits-trust"

    /// Reads a state, also as older versions wrote it.
    package init?(rawValue: String) {
        guard let state = Self.read(rawValue) else { return nil }
        self = state
    }

    /// Judges a paired gateway by its row in the map: by what its session says, else by the warnings of the row, else by
    /// whether it answers.
    ///
    /// - Parameters:
    ///   - row: Its row; `nil` if there is none.
    ///   - bot: The state of its bots, as sessions have reported it.
    package init(_ row: Gateway?, bot: BotState? = nil) {
        self.init(flags: row?.flags ?? [], liveness: row?.liveness, bot: bot)
    }

    /// Judges a paired gateway by what its row in the map shows.
    ///
    /// - Parameters:
    ///   - flags: The warnings of the row.
    ///   - liveness: The liveness of the row.
    ///   - bot: The state of its bots, as sessions have reported it.
    package init(flags: Set<GatewayFlag>, liveness: Liveness?, bot: BotState?) {
        switch bot {
        case .connected: self = .connected
        case .connecting: self = .connecting
        case .moved: self = .moved
        case .changedLeaf: self = .changedLeaf
        case .uncertified: self = .uncertified
        case .waiting: self = .waiting
        case .refused: self = .refused
        case .failed: self = .failed
        case .discovered, .pairing, .paired, .disconnected, .error, nil:
            if flags.contains(.changedLeaf) {
                self = .changedLeaf
            } else if flags.contains(.moved) {
                self = .moved
            } else {
                self = liveness?.isAlive == true ? .paired : .gone
            }
        }
    }

    /// Indicates whether nothing is sent to the gateway until the user has looked.
    package var needsUser: Bool {
        switch self {
        case .moved, .changedLeaf, .uncertified, .refused, .failed, .revoked, .awaitsTrust: true
        case .connected, .connecting, .paired, .gone, .waiting: false
        }
    }
}
