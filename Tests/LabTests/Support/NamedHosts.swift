import Foundation
import Testing

/// The host names that a device can resolve, and the certificate authority that it trusts.
struct NamedHosts: Sendable {
    /// A host name of somebody else.
    static let stranger = "mallory.clawradar.test"

    private let folder: ScratchFolder
    private let names: [String]

    /// Makes names resolve to a host on a device, and certificates for them.
    init(for names: [String], at host: LabHost, on device: LabHost) async throws {
        folder = try ScratchFolder()
        self.names = names
        for name in names { try await certify(name) }
        try resolve(to: host)
        for (file, place) in [
            ("hosts", "/etc/hosts"), ("certificates/authority.pem", "/etc/ssl/certs/ca-certificates.crt"),
        ] {
            let mounted = try await Lab.run(on: device.name, "mount", "--bind", folder.path(file), place)
            try #require(mounted.status == 0, "\(mounted.errors)")
        }
    }

    /// Makes the authority sign certificates for names or addresses; existing ones are replaced.
    func certify(_ hosts: String...) async throws {
        let command = [Lab.tool("certify"), folder.path("certificates")] + hosts
        let made = try await LabProcess(command).finish(within: .seconds(20))
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Makes the names resolve to the address of a host.
    func resolve(to host: LabHost) throws {
        try write("127.0.0.1 localhost\n\(host.address) \(names.joined(separator: " "))\n")
    }

    /// Makes the name of somebody else resolve to a host.
    func add(_ host: LabHost) throws {
        try write(
            try String(contentsOfFile: folder.path("hosts"), encoding: .utf8) + "\(host.address) \(Self.stranger)\n"
        )
    }

    private func write(_ text: String) throws {
        // The file is overwritten in place, since the bind mount refers to this file, not to its path.
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("hosts")), options: [])
    }

    /// Starts a TLS terminator with the certificate of a name.
    func startFront(on host: LabHost, port: Int, to gatewayPort: Int, named name: String) async throws -> LabProcess {
        let file = folder.path("certificates/\(name).pem")
        let front = try Lab.start(on: host.name, Lab.tool("tls-terminator"), "\(port)", "\(gatewayPort)", file)
        _ = try await front.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
        return front
    }

    /// Starts a TLS terminator for each gateway of a host, which listens on the port before that of the gateway.
    ///
    /// - Parameter certificate: Returns the name or address in the certificate.
    func startFronts(
        on host: LabHost,
        _ certificate: @Sendable (PairingSecret) -> String
    ) async throws -> [LabProcess] {
        let files = PairingSecret.allCases.map { ($0.port, folder.path("certificates/\(certificate($0)).pem")) }
        return try await files.atOnce { port, file in
            let front = try Lab.start(on: host.name, Lab.tool("tls-terminator"), "\(port)", "\(port + 1)", file)
            _ = try await front.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
            return front
        }
    }
}
