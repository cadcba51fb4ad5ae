import Logging
import ServiceLifecycle
import UnixSignals

/// A daemon with work of its own, and discovery beside it as one more service.
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
                    // Nothing that becomes of discovery is a reason to end the daemon.
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
