import Foundation
import Glibc

/// Processes that publish services on a host: programs of others, and our tool.
enum Publisher {
    /// Starts to publish a service with avahi-publish.
    static func avahi(
        on host: String,
        _ name: String,
        type: String = "_openclaw._tcp",
        port: Int = 3000,
        txt: [String] = []
    ) throws -> LabProcess {
        // avahi-publish reports on standard error only that the service is established. Tests wait until they see it.
        try Lab.start(on: host, ["avahi-publish", "-s", "--", name, type, "\(port)"] + txt)
    }

    /// Publishes a service with our tool, and waits until it is established. The tool is verbose, so that a failure
    /// shows what it waited for.
    static func clawradar(on host: String, _ name: String, _ arguments: String...) async throws -> LabProcess {
        let process = try Lab.start(
            on: host,
            [Lab.clawradar, "advertise", "--verbose", "--name", name, "--port", "3000"] + arguments
        )
        _ = try await process.line(within: .seconds(15), "message that \(name) is published") {
            $0.contains("published")
        }
        return process
    }

    /// Publishes services with python-zeroconf, and waits until all are registered.
    ///
    /// - Parameters:
    ///   - targets: The addresses of the services, which are used in rotation; empty for the address of their host.
    ///   - isFarm: Indicates whether they describe the gateways of a `gateway-farm` with this prefix.
    static func zeroconf(
        on host: String,
        count: Int,
        prefix: String,
        port: Int = 20_000,
        targets: [String] = [],
        isFarm: Bool = false
    ) async throws -> LabProcess {
        guard let python = Lab.zeroconfPython else { throw NoZeroconf() }
        let address = try await Lab.address(host)
        let process = try Lab.start(
            on: host,
            [python, Lab.tool("zeroconf-publish")] + (isFarm ? ["--farm"] : []) + [
                "\(count)", prefix, "\(port)", address,
            ]
                + (targets.isEmpty ? [] : [targets.joined(separator: ",")])
        )
        _ = try await process.line(within: .seconds(90), "message that all services are registered") { $0 == "ready" }
        return process
    }

    struct NoZeroconf: Error, CustomStringConvertible {
        let description = "CLAWRADAR_ZEROCONF_PYTHON names no Python with the package zeroconf; scripts/test sets it"
    }
}
