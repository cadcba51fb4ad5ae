import Logging
import ServiceLifecycle
import UnixSignals

/// A daemon with its own work that runs discovery next to it as one more service.
@main
struct EmbeddedBrowser {
    static func main() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "example")

        let directory = GatewayDirectory(logger: logger)
        let daemon = HostDaemon(directory: directory, logger: logger)

        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: daemon),
                    // Whatever happens to discovery, the daemon goes on.
                    .init(
                        service: directory,
                        successTerminationBehavior: .ignore,
                        failureTerminationBehavior: .ignore
                    ),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
        logger.info("everything has ended")
    }
}
