/// How patient a gateway probe is.
public struct GatewayProbeConfiguration: Hashable, Sendable {
    /// The limits of each connection; their duration is that of one rung of the ladder, connecting included.
    public var limits: ConnectionLimits

    /// The time for all rungs together.
    public var duration: Duration

    /// How long an OpenClaw gateway is given to speak first. Others are given a quarter of it.
    public var patience: Duration

    /// - Parameters:
    ///   - limits: 1 s a rung, 64 KiB a frame, 1 MiB a connection.
    ///   - duration: 5 s.
    ///   - patience: 100 ms.
    public init(
        limits: ConnectionLimits = ConnectionLimits(),
        duration: Duration = .seconds(5),
        patience: Duration = .milliseconds(100)
    ) {
        self.limits = limits
        self.duration = duration
        self.patience = patience
    }
}
