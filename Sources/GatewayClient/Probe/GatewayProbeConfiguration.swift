/// The limits of a gateway probe, and the times that it waits.
public struct GatewayProbeConfiguration: Hashable, Sendable {
    /// The limits of each connection, and of each step over it.
    public var limits: ConnectionLimits

    /// The time for all steps together.
    public var duration: Duration

    /// The time that an OpenClaw gateway is given to speak first. Others are given a quarter of it.
    public var patience: Duration

    /// - Parameters:
    ///   - limits: Those of ``ConnectionLimits``.
    ///   - duration: 5 s. More is needed where each round trip takes a second: see ``duration(within:)``.
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

    /// The time for all steps, where a user gave so much for the whole.
    ///
    /// Less than 5 s is what a deadline is for; it says nothing about how patient each step may be.
    public static func duration(within timeout: Duration) -> Duration { max(.seconds(5), timeout) }
}
