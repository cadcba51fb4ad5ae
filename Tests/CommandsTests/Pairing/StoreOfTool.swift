import Foundation
import GatewayProtocol
import Pairing

/// A store of pairings in temporary folders, and the tool that is run with it.
struct StoreOfTool {
    private let folder: URL

    /// The variables by which the tool finds the store.
    var environment: [String: String] {
        ["XDG_DATA_HOME": folder.appending(path: "data").path, "XDG_STATE_HOME": folder.appending(path: "state").path]
    }

    /// Creates a store with pairings, each with a made-up secret, and removes it after the closure has ended.
    static func with(_ pairings: [StoredPairing], _ body: (StoreOfTool) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-tool-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = StoreOfTool(folder: folder)
        let store = try home.open()
        for pairing in pairings {
            let secrets = pairing.credentials.map { ($0.id, Secret("secret-\($0.id)")) }
            try store.insert(pairing, secrets: Dictionary(uniqueKeysWithValues: secrets))
        }
        try await body(home)
    }

    /// Creates a folder beside the store, which is removed with it.
    func makeFolder(_ name: String) throws -> URL {
        let new = folder.appending(path: name)
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        return new
    }

    func open() throws -> PairingStore {
        try PairingStore(try StoreLocation.standard(environment: environment))
    }

    /// Runs the tool with this store.
    func run(_ arguments: [String]) async throws -> Tool.Result {
        try await Tool.run(arguments, environment: environment)
    }
}
