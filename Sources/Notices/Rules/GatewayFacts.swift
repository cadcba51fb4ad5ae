package import GatewayProtocol
package import Reports

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
    package var hasNetwork: Bool

    /// The reason why none does though there is one, in words of this program; `nil` where there is none.
    package var networkTrouble: String?

    /// The ways to it, and whether it answers over each. One that was not asked lately is left out.
    package var ways: [Way: Bool]

    /// Those of the ways that only records have brought, at which nothing is proved.
    package var claimedWays: Set<Way>

    /// The readiness that it reports; `nil` while that is not known.
    package var readiness: Readiness?

    /// The troubles that stand in the way of a session with it.
    package var troubles: Set<Trouble>

    /// The words of a refusal among them: whole sentences for people, which can quote the gateway, and can end with a command.
    package var refusal: String?

    /// Indicates whether it has accepted this device: a session is live, and none is refused.
    package var isAccepted: Bool

    /// The reason why it does not answer, in words of this program alone.
    package var reason: String?

    /// The devices that wait there for an approval which this device may give; `nil` while that is not known.
    package var approvals: [DeviceRequest]?

    /// The name that the user has given it; `nil` if it has none.
    package var alias: String?

    /// Indicates whether the user has paired or named it. Anybody can make up any number of others.
    package var isOwn: Bool

    /// Who answers where the user has named it; `nil` while that is not known.
    package var holder: PlaceHolder?

    /// Creates facts; by default those of a gateway with nothing to report.
    package init(
        _ subject: Notice.Subject,
        _ presence: Presence,
        heard: ContinuousClock.Instant? = nil,
        hasNetwork: Bool = true,
        ways: [Way: Bool] = [:],
        claimedWays: Set<Way> = [],
        readiness: Readiness? = nil,
        troubles: Set<Trouble> = [],
        isAccepted: Bool = false,
        reason: String? = nil,
        approvals: [DeviceRequest]? = nil,
        alias: String? = nil,
        isOwn: Bool = true,
        holder: PlaceHolder? = nil
    ) {
        self.subject = subject
        self.presence = presence
        self.heard = heard
        self.hasNetwork = hasNetwork
        self.ways = ways
        self.claimedWays = claimedWays
        self.readiness = readiness
        self.troubles = troubles
        self.isAccepted = isAccepted
        self.reason = reason
        self.approvals = approvals
        self.alias = alias
        self.isOwn = isOwn
        self.holder = holder
    }
}

/// A kind of network over which a gateway is reached. Addresses of one kind count as one way, since they come and go.
package enum Way: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A loopback address.
    case thisHost = "this-host"
    /// The local network, by IPv4.
    case lanIPv4 = "lan-ipv4"
    /// The local network, by IPv6.
    case lanIPv6 = "lan-ipv6"
    /// A tailnet: 100.64.0.0/10 or fd7a:115c:a1e0::/48.
    case tailnet
    /// Anywhere else.
    case remote

    /// The way in words.
    package var words: String {
        switch self {
        case .thisHost: "this host"
        case .lanIPv4: "the local network (IPv4)"
        case .lanIPv6: "the local network (IPv6)"
        case .tailnet: "the tailnet"
        case .remote: "the remote address"
        }
    }

    package static func < (left: Way, right: Way) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// An obstacle to sessions with a paired gateway that does not go away by itself.
package enum Trouble: String, Hashable, Sendable, CaseIterable {
    case changedCertificate = "changed-certificate"
    case moved
    case replaced
    case uncertified
    case refused
    case revoked

    var kind: Notice.Kind {
        switch self {
        case .changedCertificate: .changedCertificate
        case .moved: .moved
        case .replaced: .replaced
        case .uncertified: .uncertified
        case .refused: .refused
        case .revoked: .revoked
        }
    }

    /// The meaning, and what can be done.
    var meaning: String {
        switch self {
        case .changedCertificate: "nothing is sent to it. `clawradar status` shows how to accept the certificate"
        case .moved: "nothing is sent to it. `clawradar status` shows how to accept the new place"
        case .replaced: "it counts as gone. If that is your gateway, take its name back and give it anew"
        case .uncertified: "nothing is sent to it until a trusted certificate is shown there"
        case .refused: "`clawradar status` shows why"
        case .revoked: "pair with it again to get access"
        }
    }
}

/// One moment, by the clock that measures and by the one that people read.
package struct Moment: Hashable, Sendable {
    package let instant: ContinuousClock.Instant
    package let time: Timestamp

    /// The minute of the day, in local time.
    package let minuteOfDay: Int

    package init(instant: ContinuousClock.Instant, time: Timestamp, minuteOfDay: Int) {
        self.instant = instant
        self.time = time
        self.minuteOfDay = minuteOfDay
    }

    /// This moment.
    package static var now: Moment {
        let time = Timestamp.now
        return Moment(instant: .now, time: time, minuteOfDay: TimeZoneOffset.current.minuteOfDay(time))
    }
}
