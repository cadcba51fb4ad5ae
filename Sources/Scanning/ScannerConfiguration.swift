public import GatewayClient

/// The settings of a ``Scanner``: what it asks, and how often.
public struct ScannerConfiguration: Hashable, Sendable {
    /// Gateways to ask beside those that the browser finds.
    public var manualGateways: [ManualGateway]

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
    ///   - watches: `true`.
    ///   - probe: 1 s a question, 5 s for all of them.
    ///   - interval: 2 s.
    ///   - checksPerSecond: 20.
    ///   - heldConnections: 40, for which 20 questions a second suffice.
    ///   - refresh: 60 s.
    public init(
        manualGateways: [ManualGateway] = [],
        watches: Bool = true,
        probe: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        interval: Duration = .seconds(2),
        checksPerSecond: Int = 20,
        heldConnections: Int = 40,
        refresh: Duration = .seconds(60)
    ) {
        self.manualGateways = manualGateways
        self.watches = watches
        self.probe = probe
        self.interval = max(interval, .milliseconds(100))
        self.checksPerSecond = max(checksPerSecond, 1)
        self.heldConnections = max(heldConnections, 0)
        self.refresh = max(refresh, interval)
    }
}
