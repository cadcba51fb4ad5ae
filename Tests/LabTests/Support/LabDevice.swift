import Foundation
import Testing

/// The tool as one person uses it on one host, with a store of its own.
final class LabDevice: Sendable {
    /// What it keeps of a gateway.
    struct Pairing: Decodable {
        struct Credential: Decodable { let token: String? }
        let name: String
        let fingerprint: String?
        let credentials: [Credential]
    }

    let host: LabHost
    private let folder: ScratchFolder

    /// The folders in which it keeps everything.
    var folders: [String] { [folder.path("data"), folder.path("state")] }

    init(on host: LabHost) throws {
        self.host = host
        folder = try ScratchFolder()
    }

    /// Returns the command that runs the tool with this store.
    func command(_ arguments: [String]) -> [String] {
        ["env", "XDG_DATA_HOME=\(folders[0])", "XDG_STATE_HOME=\(folders[1])", Lab.clawradar] + arguments
    }

    /// Runs a verb to its end.
    func run(_ arguments: [String]) async throws -> LabProcess.Result {
        try await Lab.run(on: host.name, command(arguments))
    }

    /// Pairs with a gateway, which must succeed.
    @discardableResult
    func pair(_ name: String, _ options: [String] = []) async throws -> LabProcess.Result {
        let result = try await run(["pair", name, "--yes", "--timeout", "20"] + options)
        try #require(result.status == 0, "pair \(name): \(result.errors)")
        return result
    }

    /// Returns its pairings, with their secrets.
    func pairings() async throws -> [Pairing] {
        struct Document: Decodable { let pairings: [Pairing] }
        let shown = try await run(["pairings", "--format", "json", "--show-secrets"])
        return try JSONDecoder().decode(Document.self, from: Data(shown.output.utf8)).pairings
    }

    /// Returns the secrets of all its pairings, one for each credential.
    func tokens() async throws -> [String] { try await pairings().flatMap(\.credentials).compactMap(\.token) }
}
