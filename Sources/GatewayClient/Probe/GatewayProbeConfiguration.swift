/// The limits of a gateway probe, and the times that it waits.
package struct GatewayProbeConfiguration: Hashable, Sendable {
    /// The limits of each connection, and of each step over it.
    package var limits: ConnectionLimits

    /// The time for all steps together.
    package var duration: Duration

    /// The time that an OpenClaw gateway is given to speak first. Other gateways are given a quarter of it.
    package var greetingTimeout: Duration

    /// Creates a configuration. These are the defaults:
    ///
    /// - Parameters:
    ///   - limits: The defaults of ``ConnectionLimits``.
    ///   - duration: 5 s. More time is needed where each round trip takes a second: see ``duration(within:)``.
    ///   - greetingTimeout: 100 ms.
    package init(
        limits: ConnectionLimits = ConnectionLimits(),
        duration: Duration = .seconds(5),
        greetingTimeout: Duration = .milliseconds(100)
    ) {
        self.limits = limits
        self.duration = duration
        self.greetingTimeout = greetingTimeout
    }

    /// Returns the time for all steps, where a user has set a timeout for everything.
    ///
    /// A shorter time than 5 s is enforced by a deadline; it does not say how patient each step may be.
    package static func duration(within timeout: Duration) -> Duration { max(.seconds(5), timeout) }
}
