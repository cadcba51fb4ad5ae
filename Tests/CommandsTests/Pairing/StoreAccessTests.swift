import Foundation
import GatewayProtocol
import PairingStore
import Testing

@testable import Commands

@Suite struct StoreAccessTests {
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
