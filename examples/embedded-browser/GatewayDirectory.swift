import Clawradar
import Logging
import ServiceLifecycle
import Synchronization

/// A directory of the gateways on the network and their bots, for the other parts of the daemon.
///
/// It cannot harm the daemon. Without an mDNS daemon, a message bus or a network it is empty, logs why, and recovers by
/// itself. It never throws, and it returns before the group shuts down only if this build has no backend.
final class GatewayDirectory: Service {
    private let logger: Logger
    private let scanner = Mutex<GatewayScanner?>(nil)

    init(logger: Logger) {
        self.logger = logger
    }

    /// The gateways that are answering, with their bots.
    var gateways: [Gateway] {
        get async {
            guard let scanner = scanner.withLock({ $0 }) else { return [] }
            return await scanner.constellation.gateways.filter { $0.liveness == .answering }
        }
    }

    /// The state of discovery in a few words.
    var condition: String {
        switch scanner.withLock({ $0 })?.browser.status {
        case .running: "at work"
        case .starting: "starting"
        case .unavailable(let error): "waiting: \(error)"
        case nil: "off"
        @unknown default: "unknown"
        }
    }

    func run() async throws {
        let scanner: GatewayScanner
        do {
            scanner = try GatewayScanner(limits: EmbeddingLimits(services: 1_000), logger: logger)
        } catch {
            logger.error("no discovery: \(error)")
            return
        }
        self.scanner.withLock { $0 = scanner }

        await withDiscardingTaskGroup { group in
            group.addTask {
                for await update in scanner.constellation.updates { self.log(update) }
            }
            // Ends when it is cancelled or when the service group shuts down.
            try? await scanner.run()
            group.cancelAll()
        }
        logger.info("discovery has ended")
    }

    private func log(_ update: MapUpdate) {
        switch update {
        case .snapshot(let snapshot): for row in snapshot.gateways { logger.info("gateway: \(Self.text(of: row))") }
        case .change(.found(let row), _): logger.info("gateway found: \(Self.text(of: row))")
        case .change(.changed(let row, _), _): logger.info("gateway changed: \(Self.text(of: row))")
        case .change(.lost(let row), _): logger.info("gateway lost: \(Self.text(of: row))")
        // Nothing is lost when two rows turn out to be one gateway.
        case .change(.joined, _), .change(.problem, _): break
        @unknown default: break
        }
    }

    /// Returns a gateway as text. Names are chosen by strangers and people read the log, so they are cleaned.
    static func text(of gateway: Gateway) -> String {
        let bots = gateway.bots.map { DisplayText($0.name, limit: 64).text }
        // A service that is advertised as a gateway may really be an SSH server.
        let state = gateway.classification == .other ? "no gateway" : gateway.liveness?.rawValue ?? "not asked"
        return "\(DisplayText(gateway.name, limit: 64)) (\(state)), bots: \(bots)"
    }
}
