/// What came of asking an endpoint which gateway it is. It always comes, whatever the endpoint does.
public struct GatewayProbeReport: Hashable, Sendable {
    /// What answered, or why nothing did.
    public let finding: GatewayFinding

    /// The way on which it answered; `nil` when nothing did.
    public let path: GatewayProbePath?

    /// What was tried, in the order in which it ended.
    public let steps: [GatewayProbeStep]

    /// How long all of it took.
    public let elapsed: Duration

    /// How long the answer took that told what is there, from the question on; `nil` when no gateway answered.
    public let roundTrip: Duration?

    /// How long connecting took on the way on which it answered: one round trip, as near as can be told from here; `nil`
    /// when nothing answered.
    public let connecting: Duration?

    public init(
        finding: GatewayFinding,
        path: GatewayProbePath?,
        steps: [GatewayProbeStep],
        elapsed: Duration,
        roundTrip: Duration? = nil,
        connecting: Duration? = nil
    ) {
        self.finding = finding
        self.path = path
        self.steps = steps
        self.elapsed = elapsed
        self.roundTrip = roundTrip
        self.connecting = connecting
    }
}
