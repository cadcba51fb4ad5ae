package import DNSSD
package import GatewayClient
package import GatewayProtocol
internal import HostSystem

/// The settings of a ``PairingCoordinator``.
package struct PairingConfiguration: Sendable {
    /// The version of the program, which gateways receive.
    package var version: String

    /// The pace at which a request that waits for an approval is repeated.
    package var approvalPace: ApprovalPace

    /// The limits of the gateway probe.
    package var probe: GatewayProbeConfiguration

    /// The limits of conversations.
    package var limits: ConnectionLimits

    /// Returns the addresses of a host that the user named; none if it has none.
    package var resolve: @Sendable (String) async -> [IPAddress]

    /// The time that a gateway has for its answer after the pairing was given up, and again for withdrawing what it
    /// granted.
    package var cancellationTimeout = Duration.milliseconds(800)

    /// Returns the time in milliseconds since 1970.
    package var now: @Sendable () -> Int

    /// Returns the network that leads to an address, without waiting.
    package var network: @Sendable (IPAddress) -> NetworkObservation?

    /// Returns the network that leads to an address, once the hardware addresses that matter there are known.
    package var settledNetwork: @Sendable (IPAddress) async -> NetworkObservation?

    /// Creates settings, with these defaults:
    ///
    /// - Parameters:
    ///   - version: 1, the version of the program.
    ///   - approvalPace: 1 to 1.5 s for two minutes, and then 15 to 30 s.
    ///   - probe: 5 s in all.
    ///   - limits: Those of a session.
    ///   - resolve: The system's resolver, for 5 s.
    package init(
        version: String = "1",
        approvalPace: ApprovalPace = ApprovalPace(),
        probe: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        limits: ConnectionLimits = .session,
        resolve: (@Sendable (String) async -> [IPAddress])? = nil
    ) {
        self.version = version
        self.approvalPace = approvalPace
        self.probe = probe
        self.limits = limits
        self.resolve =
            resolve ?? { host in
                if let literal = IPAddress(host) { return [literal] }
                return await SystemResolver.addresses(of: host, within: .seconds(5)) ?? []
            }
        self.now = { WallClock.milliseconds }
        self.network = { NetworkObservation.current(to: $0) }
        self.settledNetwork = { await NetworkObservation.settled(to: $0) }
    }
}
