public import DNSSD
package import GatewayProtocol

/// One endpoint of a gateway.
public struct GatewayPath: Hashable, Sendable {
    /// The endpoint: its address and port and, where one was typed, its path.
    public let endpoint: Endpoint

    /// The outcome of the last probe; `nil` before the first one.
    package let outcome: ProbeOutcome?

    @StoredDuration private var storedRoundTrip: Duration?

    /// The machine that has its address, where it matters to the user which one that is; `nil` if it is not known.
    package internal(set) var machine: Machine?

    /// The distance to it.
    package internal(set) var reach: Reach

    /// Indicates whether the user entered it, or it is remembered from pairing, so that it does not depend on
    /// advertisements.
    public internal(set) var isManual: Bool

    /// The source that has found it, though nobody advertises or has named it; `nil` if there is none.
    package internal(set) var source: PlaceSource?

    /// The liveness of the endpoint; `nil` while that is not known.
    public internal(set) var liveness: Liveness?

    /// Indicates whether it sends more than was asked for, and is therefore suspect, whatever it answers.
    public internal(set) var isFlooding: Bool

    /// The time that the last answer took.
    public internal(set) var roundTrip: Duration? {
        get { storedRoundTrip }
        set { storedRoundTrip = newValue }
    }

    /// The round-trip time while there is one: `nil` for a path that is gone, however fast it was.
    public var currentRoundTrip: Duration? { liveness == .gone ? nil : roundTrip }

    /// Indicates whether it answered as a different gateway than the rest of the row. Such a path is shown, but ranks
    /// last and is otherwise ignored.
    public internal(set) var contradicts = false

    /// Indicates whether it says nothing of whether the gateway is there: it proves nothing, and only a record has brought it,
    /// while the user has named or paired another place of the gateway. It is shown, and ranks before those alone that
    /// contradict.
    public internal(set) var isHearsay = false

    /// Indicates whether its answers say whether the gateway of the row is there.
    package var counts: Bool { !contradicts && !isHearsay }

    /// Indicates whether it is at another place than that of the pairing, of a gateway without TLS that the user trusts
    /// at any place of the network. Whoever answers there under the fingerprint of the gateway gets its tokens.
    public internal(set) var isElsewhere = false

    /// The finding in place of the gateway since that has stopped: that a web server alone answers, or that connections are
    /// refused, closed or not possible. `nil` while nothing is known, and where no answer comes in time.
    package internal(set) var silence: NoAnswer?

    /// The status with which only a web server answers in place of the gateway since that has stopped; `nil` otherwise.
    /// It is the gateway's front, as a rule.
    public var frontStatus: Int? { if case .noGateway(let status) = silence { status } else { nil } }

    /// The readiness that the gateway reports there; `nil` where it does not, and while that is not known.
    package internal(set) var readiness: Readiness?

    /// The strength of the proof of its identity, which is reported apart from probes: see
    /// ``BotMapEvent/proved(_:_:leaf:)``.
    package let proof: GatewayProof

    /// The reason why it has not been asked yet; `nil` when it has been asked, or is being asked.
    package internal(set) var waiting: WaitingReason?

    /// Indicates whether it leads the row, which takes its name and bots from this path's answer: of the most trusted
    /// and nearest paths, it answered first.
    public internal(set) var leads = false

    // Copied from the outcome, which lies elsewhere in memory: paths are sorted often.
    private let isGateway: Bool
    let isItsOwnLeaf: Bool

    init(
        endpoint: Endpoint,
        reach: Reach,
        isManual: Bool,
        outcome: ProbeOutcome?,
        proof: GatewayProof = .unproved,
        liveness: Liveness?,
        roundTrip: Duration?,
        waiting: WaitingReason? = nil,
        isFlooding: Bool = false
    ) {
        self.endpoint = endpoint
        self.reach = reach
        self.isManual = isManual
        self.outcome = outcome
        self.liveness = liveness
        let identity = outcome?.identity
        self.proof = proof
        self.isGateway = identity != nil
        self.isItsOwnLeaf = identity?.isFingerprintOfItsLeaf ?? false
        self.waiting = waiting
        self.isFlooding = isFlooding
        self.roundTrip = roundTrip
    }

    /// Updates its liveness and round-trip time.
    ///
    /// - Returns: The aspects that have changed.
    mutating func update(_ liveness: Liveness?, _ roundTrip: Duration?) -> GatewayAspects {
        var aspects: GatewayAspects = []
        if self.liveness != liveness { aspects.insert(.liveness) }
        if self.roundTrip != roundTrip { aspects.insert(.latency) }
        self.liveness = liveness
        self.roundTrip = roundTrip
        return aspects
    }

    /// Indicates whether its gateway has proved there who it is.
    package var isProved: Bool { proof.isConclusive || isItsOwnLeaf }

    /// Indicates whether only services that are known from DNS zones lead there.
    package var isFromZoneAlone: Bool { reach == .remote && !isManual }

    /// Indicates whether to try this path before another one: paths that have answered as the row's gateway and are not
    /// gone come first, before those that say nothing of it, then the more trusted, then the nearer, then the first to answer;
    /// liveness and round-trip time order the rest.
    ///
    /// Trust depends on the place of the pairing where there is one, then on proof, then on a fingerprint that matches the leaf, then on manual entry. TLS alone adds none.
    public func precedes(_ other: GatewayPath) -> Bool {
        if contradicts != other.contradicts { return other.contradicts }
        if isGateway != other.isGateway { return isGateway }
        if isHearsay != other.isHearsay { return other.isHearsay }
        let (isGone, isOtherGone) = (liveness == .gone, other.liveness == .gone)
        if isGone != isOtherGone { return isOtherGone }
        if let isFirst = isMoreTrusted(than: other) { return isFirst }
        if leads != other.leads { return leads }
        if livenessRank != other.livenessRank { return livenessRank < other.livenessRank }
        if roundTrip != other.roundTrip {
            guard let roundTrip else { return false }
            return other.roundTrip.map { roundTrip < $0 } ?? true
        }
        return endpoint < other.endpoint
    }

    /// Indicates whether it precedes another path by trust and nearness alone; `nil` if these are equal.
    func isMoreTrusted(than other: GatewayPath) -> Bool? {
        if isElsewhere != other.isElsewhere { return other.isElsewhere }
        if proof != other.proof { return proof > other.proof }
        if isItsOwnLeaf != other.isItsOwnLeaf { return isItsOwnLeaf }
        if isManual != other.isManual { return isManual }
        if reach != other.reach { return reach < other.reach }
        return nil
    }

    /// The rank of its liveness: a path that was never asked comes after those that answer or are suspect, and before
    /// those that are gone.
    private var livenessRank: Int {
        switch liveness {
        case .answering: 0
        case .suspect: 1
        case nil: 2
        case .gone: 3
        }
    }
}

extension [GatewayPath] {
    /// Returns the index of the path to an endpoint.
    func index(of endpoint: Endpoint) -> Int? {
        indices.first { self[$0].endpoint == endpoint }
    }
}

/// The distance to an endpoint.
package enum Reach: String, Hashable, Sendable, CaseIterable, Comparable {
    /// On this network.
    case local

    /// Through a tunnel, or on another network.
    case remote

    /// Orders the nearer before the farther.
    package static func < (lhs: Reach, rhs: Reach) -> Bool { lhs == .local && rhs == .remote }
}

/// A reason why an endpoint that is to be asked has not been asked yet.
package enum WaitingReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The connections that are allowed to its address each minute are used up.
    case addressBudget

    /// As many probes are running as are allowed at the same time.
    case probeLimit

    /// This process has no socket left.
    case noSocket

    package var description: String {
        switch self {
        case .addressBudget: "many others lead to its address, and go first"
        case .probeLimit: "others are asked first"
        case .noSocket: "this process has no socket left for it"
        }
    }
}

extension NoAnswer {
    /// The finding in place of a gateway that has stopped; `nil` where it says too little, as that an answer takes too long.
    var inPlaceOfGateway: NoAnswer? {
        switch self {
        case .noGateway, .refused, .unreachable, .closed, .tlsFailure: self
        case .noAnswer, .wrongLeaf, .notAtUsualPorts, .noSocket, .notAllowed: nil
        }
    }
}
