public import DNSSD
public import GatewayClient
public import GatewayProtocol

/// The settings of a ``Scanner``: what it asks, and how often.
public struct ScannerConfiguration: Hashable, Sendable {
    /// Gateways to ask beside those that the browser finds, from the start; see ``Scanner/add(_:)``.
    public var manualGateways: [ManualGateway]

    /// The leaf certificate that each of these endpoints has to show, from the start; see ``Scanner/pin(_:at:)``.
    public var pins: [Endpoint: LeafFingerprint]

    /// Indicates whether anybody is asked at all. Otherwise no socket is opened: the map shows what is advertised and what
    /// was typed in, `undecided` all of it.
    public var probes: Bool

    /// Indicates whether gateways are asked again and again whether they answer. Otherwise each is asked once, and
    /// again when something about its service changes.
    public var watches: Bool

    /// The patience of the first question.
    public var probe: GatewayProbeConfiguration

    /// The interval at which a gateway is asked whether it answers; longer when there are so many that
    /// ``checksPerSecond`` does not suffice.
    public var interval: Duration

    /// The most of these questions a second, for all gateways together, at least 1; and about as many for everything
    /// together behind which no gateway is known.
    public var checksPerSecond: Int {
        didSet { checksPerSecond = max(checksPerSecond, 1) }
    }

    /// The most gateways for which a connection each is kept for these questions. Where there are more, all get a short one
    /// each time, so that the number of sockets stays bounded.
    public var heldConnections: Int

    /// The interval at which a gateway that answers is asked anew which bots it has.
    public var refresh: Duration

    /// - Parameters:
    ///   - manualGateways: None.
    ///   - pins: None.
    ///   - probes: `true`.
    ///   - watches: `true`.
    ///   - probe: 1 s a question, 5 s for all of them.
    ///   - interval: 2 s.
    ///   - checksPerSecond: 20.
    ///   - heldConnections: 40, for which 20 questions a second suffice.
    ///   - refresh: 60 s.
    public init(
        manualGateways: [ManualGateway] = [],
        pins: [Endpoint: LeafFingerprint] = [:],
        probes: Bool = true,
        watches: Bool = true,
        probe: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        interval: Duration = .seconds(2),
        checksPerSecond: Int = 20,
        heldConnections: Int = 40,
        refresh: Duration = .seconds(60)
    ) {
        self.manualGateways = manualGateways
        self.pins = pins
        self.probes = probes
        self.watches = watches
        self.probe = probe
        self.interval = max(interval, .milliseconds(100))
        self.checksPerSecond = max(checksPerSecond, 1)
        self.heldConnections = max(heldConnections, 0)
        self.refresh = max(refresh, interval)
    }
}
