import Foundation
import Testing

/// The tool as it is used on one host by one user, with a store of pairings of its own.
final class LabDevice: Sendable {
    /// A pairing in its store, as `clawradar pairings` prints it.
    struct Pairing: Decodable {
        struct Credential: Decodable { let token: String? }
        struct Trust: Decodable { let leafSha256: String? }
        let id: String
        let name: String
        let trust: Trust
        let fingerprint: String?
        let endpoints: [String]
        let credentials: [Credential]
    }

    let host: LabHost
    private let folder: ScratchFolder

    /// More variables of its environment, as `NAME=VALUE`.
    private let environment: [String]

    /// The folders of its data and its state.
    var folders: [String] { [folder.path("data"), folder.path("state")] }

    init(on host: LabHost, environment: [String] = []) throws {
        (self.host, self.environment) = (host, environment)
        folder = try ScratchFolder()
    }

    /// Creates another device with a copy of the store of one that does nothing now.
    init(copyOf other: LabDevice, environment: [String] = []) throws {
        (host, self.environment) = (other.host, environment)
        folder = try ScratchFolder()
        for (from, to) in zip(other.folders, folders) { try FileManager.default.copyItem(atPath: from, toPath: to) }
    }

    /// Returns the command that runs the tool with this store.
    func command(_ arguments: [String]) -> [String] {
        ["env", "XDG_DATA_HOME=\(folders[0])", "XDG_STATE_HOME=\(folders[1])"] + environment + [Lab.clawradar]
            + arguments
    }

    /// Runs the tool with these arguments, and waits for its end.
    func run(_ arguments: [String]) async throws -> LabProcess.Result {
        try await Lab.run(on: host.name, command(arguments))
    }

    /// Pairs with a gateway, which must succeed.
    @discardableResult
    func pair(_ name: String, _ options: [String] = []) async throws -> LabProcess.Result {
        var arguments = ["pair", name, "--yes", "--timeout", "20"] + options
        if options.contains("--token-file") || options.contains("--code-file"), !options.contains("--certificate") {
            // A secret goes unseen only to a certificate whose digits are given. The refusal says them.
            let refused = try await run(arguments)
            try #require(refused.status == 64, "pair \(name): \(refused.errors)")
            arguments += [
                "--certificate",
                String(try #require(refused.errors.firstMatch(of: /--certificate ([0-9a-f]{64})/)).output.1),
            ]
        }
        let result = try await run(arguments)
        try #require(result.status == 0, "pair \(name): \(result.errors)")
        return result
    }

    /// Returns its pairings, including their tokens.
    func pairings() async throws -> [Pairing] {
        struct Document: Decodable { let pairings: [Pairing] }
        let shown = try await run(["pairings", "--format", "json", "--show-secrets"])
        return try JSONDecoder().decode(Document.self, from: Data(shown.output.utf8)).pairings
    }

    /// Returns the tokens of all its pairings, one for each credential.
    func tokens() async throws -> [String] { try await pairings().flatMap(\.credentials).compactMap(\.token) }
}
