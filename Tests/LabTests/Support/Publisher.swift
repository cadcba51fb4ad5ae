import Foundation
import Glibc

/// Services that a peer, or we, publish from a host for as long as a test needs them.
enum Publisher {
    /// One service of avahi-utils.
    static func avahi(
        on host: String,
        _ name: String,
        type: String = "_openclaw._tcp",
        port: Int = 3000,
        txt: [String] = []
    ) throws -> LabProcess {
        // When it is established it says so on standard error only; tests wait until it is seen.
        try Lab.start(on: host, ["avahi-publish", "-s", "--", name, type, "\(port)"] + txt)
    }

    /// One service of ours, established. Verbose, so that where it is not the failure tells what it waited for.
    static func clawradar(on host: String, _ name: String, _ arguments: String...) async throws -> LabProcess {
        let process = try Lab.start(
            on: host,
            [Lab.clawradar, "advertise", "--verbose", "--name", name, "--port", "3000"] + arguments
        )
        _ = try await process.line(within: .seconds(15), "word that \(name) is published") { $0.contains("published") }
        return process
    }

    /// Services of python-zeroconf, all registered.
    ///
    /// - Parameters:
    ///   - targets: The addresses that they point at in turn; empty for their host's own.
    ///   - isFarm: Whether a `gateway-farm` with this prefix is what they point at.
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
        _ = try await process.line(within: .seconds(90), "word that all is registered") { $0 == "ready" }
        return process
    }

    struct NoZeroconf: Error, CustomStringConvertible {
        let description = "CLAWRADAR_ZEROCONF_PYTHON names no Python with the package zeroconf; scripts/test sets it"
    }
}
