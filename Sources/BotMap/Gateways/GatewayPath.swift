public import DNSSD

/// One endpoint of a gateway.
public struct GatewayPath: Hashable, Sendable {
    /// Where it is.
    public let endpoint: Endpoint

    /// How far away it is.
    public internal(set) var reach: Reach

    /// Whether somebody typed it in, or it was remembered, so that no advertisement had to be believed.
    public internal(set) var isTypedIn: Bool

    /// What came of the last probe; `nil` before the first one.
    public let outcome: ProbeOutcome?

    /// Whether it answers; `nil` while that is not known.
    public internal(set) var liveness: Liveness?

    /// How long the last answer took.
    public internal(set) var roundTrip: Duration?

    /// Whether it answered as another gateway than the rest of the row. It is shown, ranks last, and counts for nothing.
    public internal(set) var contradicts = false

    /// How well it is proved.
    public let proof: GatewayProof

    // Of the outcome, too: paths are ordered often, and what is in there is far away.
    private let isGateway: Bool
    private let isTLS: Bool

    init(
        endpoint: Endpoint,
        reach: Reach,
        isTypedIn: Bool,
        outcome: ProbeOutcome?,
        liveness: Liveness?,
        roundTrip: Duration?
    ) {
        self.endpoint = endpoint
        self.reach = reach
        self.isTypedIn = isTypedIn
        self.outcome = outcome
        self.liveness = liveness
        self.roundTrip = roundTrip
        let identity = outcome?.identity
        self.proof = identity?.proof ?? .unproved
        self.isGateway = identity != nil
        self.isTLS = identity?.leaf != nil
    }

    /// Whether a gateway answered on it, and what it said counts.
    var tells: Bool { !contradicts && isGateway }

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

    /// Whether to try this path before another one: trust, then liveness, then nearness, then time.
    ///
    /// Trust is proof, then having been typed in, then TLS. What is not proved never comes before what is.
    public func precedes(_ other: GatewayPath) -> Bool {
        if contradicts != other.contradicts { return other.contradicts }
        if proof != other.proof { return proof > other.proof }
        if isTypedIn != other.isTypedIn { return isTypedIn }
        if isTLS != other.isTLS { return isTLS }
        if livenessRank != other.livenessRank { return livenessRank < other.livenessRank }
        if reach != other.reach { return reach < other.reach }
        if roundTrip != other.roundTrip {
            guard let roundTrip else { return false }
            return other.roundTrip.map { roundTrip < $0 } ?? true
        }
        return endpoint < other.endpoint
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
