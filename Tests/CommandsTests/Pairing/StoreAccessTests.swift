import Foundation
import GatewayProtocol
import Pairing
import Testing

@testable import Commands

@Suite struct StoreAccessTests {
    /// A store that cannot be opened is not taken for none: what is paired would be shown as strange, without a word.
    @Test func anUnreadableStoreIsSaid() async throws {
        try await StoreOfTool.with([try Pairings.pairing("Home", id: "a")]) { store in
            // A loop of symbolic links cannot be opened by root either.
            let location = try StoreLocation.standard(environment: store.environment)
            try FileManager.default.removeItem(atPath: location.database)
            try FileManager.default.createSymbolicLink(
                atPath: location.database,
                withDestinationPath: location.database
            )
            let result = try await store.run(["bots", "--timeout", "0.1", "--backend", "embedded"])
            #expect(result.status == 69, "\(result.transcript)")
            #expect(result.errors.contains(location.database), "\(result.transcript)")
        }
    }

    /// Completing names does not set a damaged store aside, because a shell that completes could not inform the user;
    /// the next verb does so.
    @Test func completingNamesLeavesADamagedStoreToAVerb() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-completions-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let location = StoreLocation(folder: "\(root.path)/data", keyFile: "\(root.path)/state/sealing.key")
        #expect(StoreAccess.completions(at: location, for: []).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: location.folder), "completing must not create the store")
        let pairing = try Pairings.pairing("Home", id: "a")
        try PairingStore(location).insert(pairing, secrets: [pairing.credentials[0].id: Secret("token")])
        #expect(StoreAccess.completions(at: location, for: []).map(\.word) == ["Home"])
        let handle = try FileHandle(forWritingTo: URL(filePath: location.database))
        try handle.write(contentsOf: Data("not a database!!".utf8))
        try handle.close()
        #expect(StoreAccess.completions(at: location, for: []).isEmpty)
        #expect(try PairingStore(location).setAside != nil)
    }
}
