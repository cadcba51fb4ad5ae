package import DNSSD
package import GatewayClient
package import GatewayProtocol

/// The settings of a ``GatewayScanner``: what it asks, and how often.
package struct ScannerConfiguration: Hashable, Sendable {
    /// The gateways to ask in addition to those that the browser finds, from the start; see ``GatewayScanner/add(_:)``.
    package var manualGateways: [ManualGateway]

    /// The leaf certificate that each of these endpoints has to show, from the start; see
    /// ``/Scanning/Constellation/pin(_:at:)``.
    package var pins: [Endpoint: LeafFingerprint]

    /// Indicates whether endpoints are asked at all. Otherwise no socket is opened: the map shows advertised services
    /// and entered addresses, all of them `undecided`.
    package var probes: Bool

    /// Indicates whether gateways are checked again and again. Otherwise each is asked once, and again when something
    /// about its service changes.
    package var watches: Bool

    /// Indicates whether somebody watches from the beginning: see ``GatewayScanner/setWatched(_:)``.
    package var isWatched: Bool

    /// The limits and time-outs of a gateway probe.
    package var probe: GatewayProbeConfiguration

    /// The interval at which the first path of a gateway is checked while somebody watches, else ``refresh``; longer when
    /// there are so many that ``checksPerSecond`` does not suffice. Its other paths are checked at one and a half of it, as far
    /// as the first paths of all gateways leave checks and held connections for them, else at ``refresh``. At least 100 ms.
    package var interval: Duration {
        didSet { interval = max(interval, Self.shortestInterval) }
    }

    private static let shortestInterval = Duration.milliseconds(100)

    /// The maximum number of these checks per second, for all gateways together, at least 1. All endpoints behind which
    /// no gateway is known are together asked at about the same rate.
    package var checksPerSecond: Int {
        didSet { checksPerSecond = max(checksPerSecond, 1) }
    }

    /// The maximum number of connections that are kept for these checks: to the first paths of the gateways that are asked
    /// first, and while somebody watches, as far as these leave room, to other paths. Each check of the others uses a short
    /// connection, so that the number of sockets stays bounded. At least 0.
    package var heldConnections: Int {
        didSet { heldConnections = max(heldConnections, 0) }
    }

    /// The interval at which a gateway that answers is asked again which bots it has, at least ``interval``.
    package var refresh: Duration {
        get { max(chosenRefresh, interval) }
        set { chosenRefresh = newValue }
    }

    /// The interval that was set, which may be shorter than ``interval``.
    private var chosenRefresh: Duration

    /// Creates settings. An interval below 100 ms counts as 100 ms, a negative number of held connections as 0, and a
    /// refresh below the interval as the interval. These are the defaults:
    ///
    /// - Parameters:
    ///   - manualGateways: None.
    ///   - pins: None.
    ///   - probes: `true`.
    ///   - watches: `true`.
    ///   - isWatched: `true`.
    ///   - probe: 1 s a question, 5 s for all of them.
    ///   - interval: 2 s.
    ///   - checksPerSecond: 20.
    ///   - heldConnections: 64.
    ///   - refresh: 60 s.
    package init(
        manualGateways: [ManualGateway] = [],
        pins: [Endpoint: LeafFingerprint] = [:],
        probes: Bool = true,
        watches: Bool = true,
        isWatched: Bool = true,
        probe: GatewayProbeConfiguration = GatewayProbeConfiguration(),
        interval: Duration = .seconds(2),
        checksPerSecond: Int = 20,
        heldConnections: Int = 64,
        refresh: Duration = .seconds(60)
    ) {
        self.manualGateways = manualGateways
        self.pins = pins
        self.probes = probes
        self.watches = watches
        self.isWatched = isWatched
        self.probe = probe
        self.interval = max(interval, Self.shortestInterval)
        self.checksPerSecond = max(checksPerSecond, 1)
        self.heldConnections = max(heldConnections, 0)
        self.chosenRefresh = refresh
    }
}
