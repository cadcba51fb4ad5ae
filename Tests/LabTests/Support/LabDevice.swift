import Foundation
import Testing

/// The tool as one person uses it on one host, with a store of its own.
final class LabDevice: Sendable {
    let host: LabHost
    private let folder: ScratchFolder

    init(on host: LabHost) throws {
        self.host = host
        folder = try ScratchFolder()
    }

    /// Returns the command that runs the tool with this store.
    func command(_ arguments: [String]) -> [String] {
        [
            "env", "XDG_DATA_HOME=\(folder.path("data"))", "XDG_STATE_HOME=\(folder.path("state"))", Lab.clawradar,
        ] + arguments
    }

    /// Pairs with a gateway, which must succeed.
    func pair(_ name: String, _ options: [String] = []) async throws {
        let arguments = ["pair", name, "--yes", "--timeout", "20"] + options
        let result = try await Lab.run(on: host.name, command(arguments))
        try #require(result.status == 0, "pair \(name): \(result.errors)")
    }

    /// Returns the secrets of all its pairings, one for each credential.
    func tokens() async throws -> [String] {
        struct Document: Decodable {
            struct Pairing: Decodable {
                struct Credential: Decodable { let token: String? }
                let credentials: [Credential]
            }
            let pairings: [Pairing]
        }
        let shown = try await Lab.run(on: host.name, command(["pairings", "--format", "json", "--show-secrets"]))
        let document = try JSONDecoder().decode(Document.self, from: Data(shown.output.utf8))
        return document.pairings.flatMap(\.credentials).compactMap(\.token)
    }
}
