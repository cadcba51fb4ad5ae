import DNSSD
import Discovery
import GatewayProtocol
import Logging
import ServiceLifecycle
import Synchronization

/// Knows the gateways on the network, for the other parts of the daemon.
///
/// `DNSSD` and `ServiceLifecycle` both have a `Service`: a file that imports both says which one it means.
///
/// It cannot do harm: without a daemon, a message bus or a network it is empty and says why in its log, it goes on by
/// itself when the trouble ends, and it neither throws nor returns before the group shuts down.
final class GatewayDirectory: ServiceLifecycle.Service {
    private let logger: Logger
    private let browser = Mutex<Browser?>(nil)

    init(logger: Logger) {
        self.logger = logger
    }

    /// The gateways that are present and can be connected to.
    var gateways: [GatewayAdvertisement] {
        guard let browser = browser.withLock({ $0 }) else { return [] }
        return browser.services.filter { $0.resolution == .resolved }.map(Self.advertisement)
    }

    /// How discovery is, in a few words.
    var condition: String {
        switch browser.withLock({ $0 })?.condition.status {
        case .running: "at work"
        case .starting: "starting"
        case .unavailable(let error): "waiting: \(error)"
        case nil: "off"
        }
    }

    func run() async throws {
        let browser: Browser
        do {
            browser = Browser(
                BrowserConfiguration(types: [.openClaw, try ServiceType("_openclaw-gw._tcp")]),
                backend: try Backends.system(logger: logger)
            )
        } catch {
            logger.error("no discovery: \(error)")
            return
        }
        self.browser.withLock { $0 = browser }

        await withDiscardingTaskGroup { group in
            // `Browser.run()` ends on cancellation and knows nothing of graceful shutdown; this makes the one of the
            // other. As it does not throw when it is cancelled, neither does this, and the group ends in peace.
            group.addTask { await cancelWhenGracefulShutdown { await browser.run() } }
            // Ends with `browser.run()`.
            group.addTask {
                for await change in browser.changes { self.log(change) }
            }
        }
        logger.info("discovery has ended")
    }

    private func log(_ change: ServiceChange) {
        switch change {
        case .found(let service):
            logger.info("gateway found: \(Self.name(of: service))")
        case .changed(let service, let aspects):
            logger.info("gateway changed: \(Self.name(of: service)) (\(aspects.sorted().map(\.rawValue)))")
        case .lost(let service, let reason):
            logger.info("gateway lost: \(Self.name(of: service)) (\(reason.rawValue))")
        }
    }

    private static func advertisement(of service: DNSSD.Service) -> GatewayAdvertisement {
        GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
    }

    /// Cleaned: a log is read by people, and names are chosen by strangers.
    private static func name(of service: DNSSD.Service) -> DisplayText {
        DisplayText(advertisement(of: service).name, limit: 64)
    }
}
