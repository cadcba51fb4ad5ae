public import DNSSD

/// One endpoint of a gateway.
public struct GatewayPath: Hashable, Sendable {
    /// The address and port at which it is.
    public let endpoint: Endpoint

    /// The distance to it.
    public internal(set) var reach: Reach

    /// Indicates whether somebody typed it in, or it was remembered, so that no advertisement had to be believed.
    public internal(set) var isManual: Bool

    /// The outcome of the last probe; `nil` before the first one.
    public let outcome: ProbeOutcome?

    /// The liveness of the endpoint; `nil` while that is not known.
    public internal(set) var liveness: Liveness?

    /// Indicates whether it sends more than anybody has asked for, and is suspect therefore, whatever it answers.
    public internal(set) var isFlooding: Bool

    /// The time that the last answer took.
    public internal(set) var roundTrip: Duration?

    /// Indicates whether it answered as another gateway than the rest of the row. It is shown, ranks last, and counts
    /// for nothing.
    public internal(set) var contradicts = false

    /// The strength of the proof of what it is, which no probe gives or takes: see ``BotMapEvent/proved(_:_:leaf:)``.
    public let proof: GatewayProof

    /// The reason why it has not been asked yet; `nil` when it has been, or is asked now.
    public internal(set) var waiting: WaitingReason?

    /// Indicates whether its word counts: of those that are trusted as much and are as near, it answered first.
    public internal(set) var leads = false

    // Of the outcome, too: paths are ordered often, and what is in there is far away.
    private let isGateway: Bool
    private let isItsOwnLeaf: Bool

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
        self.roundTrip = roundTrip
        let identity = outcome?.identity
        self.proof = proof
        self.isGateway = identity != nil
        self.isItsOwnLeaf = identity?.isFingerprintOfItsLeaf ?? false
        self.waiting = waiting
        self.isFlooding = isFlooding
    }

    /// Takes what is known of its liveness now.
    ///
    /// - Returns: What is new.
    mutating func update(_ liveness: Liveness?, _ roundTrip: Duration?) -> GatewayAspects {
        var aspects: GatewayAspects = []
        if self.liveness != liveness { aspects.insert(.liveness) }
        if self.roundTrip != roundTrip { aspects.insert(.latency) }
        self.liveness = liveness
        self.roundTrip = roundTrip
        return aspects
    }

    /// Indicates whether to try this path before another one: what has answered as the row's gateway comes first, then
    /// trust and nearness decide, then who answered first; liveness and time order the rest.
    ///
    /// Trust is proof, then a fingerprint that is that of the leaf, then manual entry. TLS alone is none.
    public func precedes(_ other: GatewayPath) -> Bool {
        if contradicts != other.contradicts { return other.contradicts }
        if isGateway != other.isGateway { return isGateway }
        if let isFirst = isMoreTrusted(than: other) { return isFirst }
        if leads != other.leads { return leads }
        if livenessRank != other.livenessRank { return livenessRank < other.livenessRank }
        if roundTrip != other.roundTrip {
            guard let roundTrip else { return false }
            return other.roundTrip.map { roundTrip < $0 } ?? true
        }
        return endpoint < other.endpoint
    }

    /// Indicates whether it goes before another path by trust and nearness alone; `nil` where these are equal.
    func isMoreTrusted(than other: GatewayPath) -> Bool? {
        if proof != other.proof { return proof > other.proof }
        if isItsOwnLeaf != other.isItsOwnLeaf { return isItsOwnLeaf }
        if isManual != other.isManual { return isManual }
        if reach != other.reach { return reach < other.reach }
        return nil
    }

    /// One that was never asked comes after those that answer, and before those that do not.
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
    /// The place of the path to an endpoint.
    func index(of endpoint: Endpoint) -> Int? {
        indices.first { self[$0].endpoint == endpoint }
    }
}

/// The distance to an endpoint.
public enum Reach: String, Hashable, Sendable, CaseIterable, Comparable {
    /// On this network.
    case local

    /// Through a tunnel, or on another network.
    case remote

    /// The nearer first.
    public static func < (lhs: Reach, rhs: Reach) -> Bool { lhs == .local && rhs == .remote }
}

/// A reason why an endpoint that is to be asked has not been asked yet.
public enum WaitingReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// As many connections were made to its address in this minute as one address may see.
    case addressBudget

    /// As many probes run as may run at once.
    case probeLimit

    /// This process has no socket left.
    case noSocket

    public var description: String {
        switch self {
        case .addressBudget: "many others lead to its address, and go first"
        case .probeLimit: "others are asked first"
        case .noSocket: "this process has no socket left for it"
        }
    }
}
