import Constellation
import DNSSD
import Discovery
import GatewayProtocol
import Logging
import Scanning
import ServiceLifecycle
import Synchronization

/// Knows the gateways on the network and their bots, for the other parts of the daemon.
///
/// It cannot do harm: without a daemon, a message bus or a network it is empty and says why in its log, it goes on by
/// itself when the trouble ends, and it neither throws nor returns before the group shuts down.
final class GatewayDirectory: Service {
    private let logger: Logger
    private let scanner = Mutex<Scanner?>(nil)

    init(logger: Logger) {
        self.logger = logger
    }

    /// The gateways that answer, with their bots.
    var gateways: [Gateway] {
        get async {
            guard let scanner = scanner.withLock({ $0 }) else { return [] }
            return await scanner.constellation.gateways.filter { $0.liveness == .answering }
        }
    }

    /// The state of discovery, in a few words.
    var condition: String {
        switch scanner.withLock({ $0 })?.browser.condition.status {
        case .running: "at work"
        case .starting: "starting"
        case .unavailable(let error): "waiting: \(error)"
        case nil: "off"
        }
    }

    func run() async throws {
        let scanner: Scanner
        do {
            let browser = Browser(
                BrowserConfiguration(types: ServiceType.gatewayTypes),
                backend: try Backends.system(logger: logger)
            )
            scanner = Scanner(browser: browser, logger: logger)
        } catch {
            logger.error("no discovery: \(error)")
            return
        }
        self.scanner.withLock { $0 = scanner }

        await withDiscardingTaskGroup { group in
            group.addTask {
                for await update in scanner.constellation.updates { self.log(update) }
            }
            // Ends on cancellation, and when the service group shuts down.
            await scanner.run()
            group.cancelAll()
        }
        logger.info("discovery has ended")
    }

    private func log(_ update: MapUpdate) {
        switch update {
        case .snapshot(let snapshot): for row in snapshot.gateways { logger.info("gateway: \(Self.text(of: row))") }
        case .change(.found(let row), _): logger.info("gateway found: \(Self.text(of: row))")
        case .change(.changed(let row, _), _): logger.info("gateway changed: \(Self.text(of: row))")
        case .change(.lost(let row, _), _): logger.info("gateway lost: \(Self.text(of: row))")
        case .change(.problem, _): break
        }
    }

    /// Cleaned: a log is read by people, and names are chosen by strangers.
    static func text(of gateway: Gateway) -> String {
        let bots = gateway.bots.map { DisplayText($0.name, limit: 64).text }
        // What is advertised as a gateway may be an SSH server.
        let state = gateway.classification == .other ? "no gateway" : gateway.liveness?.rawValue ?? "not asked"
        return "\(DisplayText(gateway.name, limit: 64)) (\(state)), bots: \(bots)"
    }
}
