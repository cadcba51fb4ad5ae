internal import Constellation
public import DNSSD
public import Discovery
public import GatewayProtocol
public import Logging
public import Scanning

extension Scanner {
    /// Makes a scanner with a browser, a backend and a map of its own, within one set of limits. Nothing happens before
    /// ``/Scanning/Scanner/run()``.
    ///
    /// - Parameters:
    ///   - types: The service types to look for: those of all gateways.
    ///   - interfaces: The names of the interfaces to look at; empty means all.
    ///   - backend: What does the browsing: avahi-daemon while it answers, else our own engine.
    ///   - limits: How much it holds and does. They take the place of those of the configuration.
    ///   - configuration: What is asked beside that.
    ///   - logger: Gets what happens underneath, at debug.
    /// - Throws: ``/DNSSD/BackendError`` with the code `noBackend` when this build does not have that backend.
    public init(
        types: [ServiceType] = ServiceType.gatewayTypes,
        interfaces: Set<String> = [],
        backend: BackendChoice = .auto,
        limits: EmbeddingLimits = EmbeddingLimits(),
        configuration: ScannerConfiguration = ScannerConfiguration(),
        logger: Logger? = nil
    ) throws(BackendError) {
        let browser = Browser(
            BrowserConfiguration(types: types, interfaces: interfaces, maximumServices: limits.services),
            backend: try Backends.make(backend, maximumServices: limits.services, logger: logger)
        )
        var configuration = configuration
        configuration.checksPerSecond = limits.checksPerSecond
        configuration.heldConnections = limits.heldConnections
        let constellation = Constellation(
            limits: BotMapLimits(candidates: limits.services, botsPerGateway: limits.bots),
            awaitsNews: configuration.watches
        )
        self.init(configuration, browser: browser, constellation: constellation, logger: logger)
    }
}
