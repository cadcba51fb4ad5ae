internal import DNSSD
internal import GatewayReports
internal import Synchronization

/// Prints each service of a scan once, as a line of JSON: as soon as it is resolved, or else at the end.
final class ServicePrinter: Sendable {
    private let write: @Sendable (String) throws -> Void
    private let printed = Mutex<Set<ServiceInstance>>([])

    init(write: @escaping @Sendable (String) throws -> Void) {
        self.write = write
    }

    /// Takes in what the browser tells.
    func take(_ change: ServiceChange) throws {
        switch change {
        case .found(let service), .changed(let service, _):
            if service.resolution == .resolved { try printOnce(service) }
        case .lost:
            break
        }
    }

    /// Prints the rest.
    func finish(_ services: [DiscoveredService]) throws {
        for service in services { try printOnce(service) }
    }

    private func printOnce(_ service: DiscoveredService) throws {
        guard printed.withLock({ $0.insert(service.instance).inserted }) else { return }
        try write(ServiceReport(service).line)
    }
}
