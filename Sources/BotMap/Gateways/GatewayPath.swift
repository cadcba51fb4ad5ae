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
    public let liveness: Liveness?

    /// How long the last answer took.
    public let roundTrip: Duration?

    /// Whether it answered as another gateway than the rest of the row. It is shown, ranks last, and counts for nothing.
    public internal(set) var contradicts = false

    /// How well it is proved.
    public var proof: GatewayProof { outcome?.identity?.proof ?? .unproved }

    /// Whether to try this path before another one: trust, then liveness, then nearness, then time.
    ///
    /// Trust is proof, then having been typed in, then TLS. What is not proved never comes before what is.
    public func precedes(_ other: GatewayPath) -> Bool {
        if contradicts != other.contradicts { return other.contradicts }
        if proof != other.proof { return proof > other.proof }
        if isTypedIn != other.isTypedIn { return isTypedIn }
        let isTLS = outcome?.identity?.leaf != nil
        if isTLS != (other.outcome?.identity?.leaf != nil) { return isTLS }
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
