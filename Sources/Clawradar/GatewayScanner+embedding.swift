public import DNSSD
public import Discovery
public import GatewayProtocol
public import Logging
public import Scanning

extension GatewayScanner {
    /// Makes a scanner with its own browser, backend and map, within one set of limits. It does nothing before
    /// ``/Scanning/GatewayScanner/run()``.
    ///
    /// - Parameters:
    ///   - types: The service types to browse for. By default those of all gateways.
    ///   - interfaces: The names of the interfaces to browse on; empty means all.
    ///   - backend: The backend that browses. By default avahi-daemon while it answers, otherwise the embedded engine.
    ///   - limits: The limits on what the scanner stores and sends.
    ///   - logger: The logger for the internals of the scanner, at level debug.
    /// - Throws: ``/DNSSD/BackendError`` with the code `noBackend` when this build does not have that backend.
    public init(
        types: [ServiceType] = ServiceType.gatewayTypes,
        interfaces: Set<String> = [],
        backend: BackendChoice = .auto,
        limits: EmbeddingLimits = EmbeddingLimits(),
        logger: Logger? = nil
    ) throws(BackendError) {
        let browser = Browser(
            BrowserConfiguration(types: types, interfaces: interfaces, maximumServices: limits.services),
            backend: try Backends.make(backend, maximumServices: limits.services, logger: logger)
        )
        var configuration = ScannerConfiguration()
        configuration.checksPerSecond = limits.checksPerSecond
        configuration.heldConnections = limits.heldConnections
        let constellation = Constellation(
            limits: BotMapLimits(candidates: limits.services, botsPerGateway: limits.bots),
            asksRepeatedly: configuration.watches
        )
        self.init(
            configuration,
            browser: browser,
            constellation: constellation,
            endsConstellation: true,
            logger: logger
        )
    }

    /// The rows of its map, and again whenever they have changed. The sequence ends
    /// with ``/Scanning/GatewayScanner/run()``, if the map is the scanner's own.
    public nonisolated var gateways: some AsyncSequence<[Gateway], Never> & Sendable { constellation.currentGateways }
}
