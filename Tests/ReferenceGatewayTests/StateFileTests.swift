import Foundation
import GatewayProtocol
import ReferenceGateway
import Testing

@Suite struct StateFileTests {
    /// Runs a closure with a folder, which is removed afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func keepsTheStateForItsOwnerAlone() throws {
        try withFolder { folder in
            let url = folder.appending(path: "gateway.json")
            let file = StateFile(path: url.path)
            #expect(try file.read() == nil)
            for _ in 0..<2 { try file.write(.example) }
            #expect(try file.read() == .example)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gateway.json"])
        }
    }

    @Test func refusesWhatOthersCanRead() throws {
        try withFolder { folder in
            let file = StateFile(path: folder.appending(path: "gateway.json").path)
            try file.write(.example)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            #expect { try file.read() } throws: { "\($0)".contains("chmod 600") }
        }
    }

    @Test func saysWhatIsWrong() throws {
        try withFolder { folder in
            let file = StateFile(path: folder.appending(path: "missing/gateway.json").path)
            #expect { try file.write(.example) } throws: {
                ($0 as? ReferenceGatewayError)?.code == .unwritableState
            }
            let bots = StateFile(path: folder.appending(path: "bots.json").path)
            try Data(#"[{"botId":"a","name":"A"},{"botId":"b"}]"#.utf8).write(to: URL(filePath: bots.path))
            #expect(try bots.readBots().map(\.name) == ["A", "b"])
            try Data(#"[{"botId":"a"},{"botId":"a"}]"#.utf8).write(to: URL(filePath: bots.path))
            #expect(throws: ReferenceGatewayError.self) { try bots.readBots() }
        }
    }
}
