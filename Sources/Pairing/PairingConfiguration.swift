public import DNSSD
internal import EventLoops
public import GatewayClient
package import PairingStore

/// The settings of a ``PairingCoordinator``.
public struct PairingConfiguration: Sendable {
    /// The version of the program, as gateways are told.
    public var version: String

    /// The time between two questions for an approval, drawn anew each time. A request lives five minutes from one to the next.
    public var approvalInterval: ClosedRange<Duration>

    /// The limits of asking gateways what they are.
    public var probe: GatewayProbeConfiguration

    /// The limits of conversations.
    public var limits: ConnectionLimits

    /// Looks up the addresses of a host that the user named; none where it has none.
    public var resolve: @Sendable (String) async -> [IPAddress]

    /// The time that a gateway has for its answer, and for taking it back, after the pairing was given up.
    package var farewell = Duration.milliseconds(800)

    /// Tells the time in milliseconds since 1970.
    package var now: @Sendable () -> Int

    /// Observes the network that leads to an address, without waiting.
    package var network: @Sendable (IPAddress) -> NetworkObservation?

    /// Observes the network that leads to an address, once its machines are known.
    package var settledNetwork: @Sendable (IPAddress) async -> NetworkObservation?

    /// - Parameters:
    ///   - version: The version of the program.
    ///   - approvalInterval: 30 to 60 s.
    ///   - probe: 5 s in all.
    ///   - limits: Those of a session.
    ///   - resolve: Addresses alone; names are found nowhere.
    public init(
        version: String,
        approvalInterval: ClosedRange<Duration> = .seconds(30) ... .seconds(60),
        probe: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        limits: ConnectionLimits = .session,
        resolve: @escaping @Sendable (String) async -> [IPAddress] = { IPAddress($0).map { [$0] } ?? [] }
    ) {
        self.version = version
        self.approvalInterval = approvalInterval
        self.probe = probe
        self.limits = limits
        self.resolve = resolve
        self.now = { WallClock.milliseconds }
        self.network = { NetworkObservation.current(to: $0) }
        self.settledNetwork = { await NetworkObservation.settled(to: $0) }
    }
}
