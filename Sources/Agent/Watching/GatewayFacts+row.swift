internal import DNSSD
internal import GatewayProtocol
internal import Scanning

extension NoticePolicy.Watched {
    /// Indicates whether a gateway is watched.
    ///
    /// - Parameter isOwn: Indicates whether the user has paired or named it.
    func includes(_ names: [String], at places: [Endpoint], isOwn: Bool) -> Bool {
        switch self {
        case .own: return isOwn
        case .all: return true
        case .none: return false
        case .named(let wanted):
            let places = places.map(\.description)
            return wanted.contains { names.contains($0) || places.contains($0) }
        }
    }
}

extension Gateway {
    /// All names by which the user may have it watched: one that it gets later takes no alarm away.
    var allNames: [String] { [name] + otherNames }
}

extension GatewayFacts.Presence {
    /// The presence of a gateway, as its row shows it.
    init(_ row: Gateway?, _ heard: LastAnswers) {
        // Its other ways have answered before, and are being asked.
        let isDoubted = row.map { heard.doubts($0) && !$0.isFlooding } == true
        self.init(row?.liveness, isFlooding: row?.isFlooding == true, isDoubted: isDoubted)
    }

    /// The presence of a gateway, by its liveness.
    init(_ liveness: Liveness?, isFlooding: Bool, isDoubted: Bool = false) {
        switch liveness {
        case .answering where isDoubted: self = .silent
        case .answering: self = .answering
        // One that floods answers, and more than it was asked.
        case .suspect where isFlooding: self = .answering
        case .suspect: self = .silent
        case .gone: self = .gone
        case nil: self = .unknown
        }
    }
}

extension GatewayFacts {
    /// Creates the facts about a gateway, with the ways that only records have brought, and of which nothing else is known.
    init(
        _ subject: Notice.Subject,
        _ presence: Presence,
        heard: ContinuousClock.Instant? = nil,
        hasNetwork: Bool,
        ways: [Way: Bool] = [:],
        claimed: [Way: Bool] = [:],
        readiness: Readiness? = nil,
        troubles: Set<Trouble> = [],
        refusal: String? = nil,
        refusalReason: SessionRefusal.Reason? = nil,
        isAccepted: Bool = false,
        reason: String?,
        approvals: [DeviceRequest]? = nil,
        alias: String?,
        isOwn: Bool = true,
        holder: Occupant? = nil
    ) {
        self.init(subject, presence, isOwn: isOwn)
        self.heard = heard
        self.hasNetwork = hasNetwork
        self.ways = ways.merging(claimed) { own, _ in own }
        claimedWays = Set(claimed.keys).subtracting(ways.keys)
        self.readiness = readiness
        self.troubles = troubles
        self.refusal = refusal
        self.refusalReason = refusalReason
        self.isAccepted = isAccepted
        self.reason = reason
        self.approvals = approvals
        self.alias = alias
        self.holder = holder
    }
}

extension Occupant {
    /// Returns the reason why a gateway does not answer, where another one does.
    static func reason(_ difference: Difference?) -> String {
        switch difference {
        case .machine: "another machine answers in its place"
        case .gateway: "another gateway answers at its address"
        case nil: "another certificate is shown in its place"
        }
    }
}

extension Gateway {
    /// Indicates whether a gateway has answered at one of its places.
    var hasAnsweredAsGateway: Bool { paths.contains { $0.outcome?.identity != nil } }

    /// The places of its own.
    var ownPlaces: [Endpoint] { paths.filter(\.counts).map(\.endpoint) }

    /// The places of its own at which it has answered.
    var answeredPlaces: [Endpoint] { paths.filter { $0.counts && $0.outcome?.identity != nil }.map(\.endpoint) }

    /// The gateway as one that may be new on the local network; `nil` for one that does not answer there, is another thing,
    /// or is paired.
    var newcomer: Notice.Subject? {
        let isHere = paths.contains {
            !$0.contradicts && $0.reach == .local && !$0.isManual && $0.liveness == .answering
                && !$0.endpoint.address.isLoopback && $0.outcome?.identity != nil
        }
        return isHere && !isPaired ? Notice.Subject(key: id.description, name: name) : nil
    }

    /// The ways to it of which something is known, and whether it answers over each.
    ///
    /// - Parameter isClaimed: Indicates whether those are wanted that only records have brought, and not the others.
    func ways(isClaimed: Bool) -> [Way: Bool] {
        var ways: [Way: Bool] = [:]
        for path in paths where !path.contradicts && path.isHearsay == isClaimed {
            guard let liveness = path.liveness else { continue }
            let way = Way(path.endpoint.address, path.reach)
            ways[way] = ways[way] == true || liveness.isAlive
        }
        return ways
    }

    /// Returns the reason why it does not answer, in words of this program; `nil` if it does, or was not asked.
    func reasonForSilence(_ presence: GatewayFacts.Presence) -> String? {
        switch presence {
        case .answering, .unknown: return nil
        case .silent, .gone:
            let found = paths.first { $0.counts && $0.silence != nil }?.silence?.description
            // What answers at once has its reason from there.
            let reason = found ?? (liveness == nil ? nil : "no answer")
            guard let other = otherAnswer else { return reason }
            return (reason.map { "\($0); " } ?? "") + other
        }
    }

    /// The sentence about what answers elsewhere and says that it is this gateway; `nil` if nothing does.
    var otherAnswer: String? {
        let other = paths.first { !$0.contradicts && $0.isHearsay && $0.isAnswer }
        return other.map { "something else at \($0.endpoint) does, and proves nothing" }
    }
}

extension Way {
    /// The way to an address.
    fileprivate init(_ address: IPAddress, _ reach: Reach) {
        let bytes = address.unmapped.bytes
        let isTailnet =
            bytes.count == 4
            ? bytes[0] == 100 && bytes[1] & 0xC0 == 64 : bytes.starts(with: [0xFD, 0x7A, 0x11, 0x5C, 0xA1, 0xE0])
        if address.isLoopback {
            self = .thisHost
        } else if isTailnet {
            self = .tailnet
        } else if reach == .remote {
            self = .remote
        } else {
            self = bytes.count == 4 ? .lanIPv4 : .lanIPv6
        }
    }
}

extension Trouble {
    /// The troubles that stand in the way of a session with a paired gateway.
    static func all(_ row: Gateway?, _ sessions: [ShownSession]) -> Set<Trouble> {
        var troubles: Set<Trouble> = []
        // One that is connected is where and what it was; what else claims to be it is a row's warning.
        if !sessions.contains(where: { $0.state == .connected }) {
            if row?.flags.contains(.changedLeaf) == true { troubles.insert(.changedCertificate) }
            if row?.flags.contains(.moved) == true { troubles.insert(.moved) }
            troubles.formUnion(sessions.compactMap { $0.state.troubleOfPlace })
        }
        for session in sessions {
            if session.isRefused { troubles.insert(.refused) }
            if session.state == .revoked { troubles.insert(.revoked) }
        }
        return troubles
    }
}

extension ShownSession {
    /// Indicates whether its gateway refuses it until somebody acts there.
    fileprivate var isRefused: Bool { state == .refused || state == .waiting && waitsForPerson }
}

extension [ShownSession] {
    /// The words in which their gateway refuses one of them; `nil` if it refuses none.
    var refusal: String? { first(where: \.isRefused)?.reason }

    /// The reason of the refusal that has these words.
    var refusalReason: SessionRefusal.Reason? { first(where: \.isRefused)?.refusal }

    /// Indicates whether their gateway accepts this device: one of them is live, and it stands in the way of none.
    ///
    /// - Parameter troubles: The troubles that stand in the way of them.
    func areAccepted(besides troubles: Set<Trouble>) -> Bool {
        contains { $0.state == .connected } && troubles.isDisjoint(with: [.refused, .revoked])
    }

    /// Indicates whether what answers in place of their gateway has not the certificate that proves it, as far as any of them has
    /// found: anybody who takes over its address can answer like it.
    var areUncertified: Bool {
        contains { $0.state == .uncertified } && !contains { $0.state == .connected }
    }
}

extension ShownSession.State {
    /// The trouble that a gateway is not where and what it was; `nil` if that is not so, or not known.
    fileprivate var troubleOfPlace: Trouble? {
        switch self {
        case .changedLeaf: .changedCertificate
        case .moved: .moved
        case .uncertified: .uncertified
        case .refused, .revoked, .connecting, .connected, .gone, .disconnected, .waiting, .sealed, .heldElsewhere: nil
        }
    }
}
