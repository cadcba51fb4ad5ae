import Foundation
import GatewayProtocol
import Pairing
import Testing

@testable import Commands

/// `link --svg`: a picture that cannot be written costs no code, and not the link either.
@Suite(.timeLimit(.minutes(1))) struct LinkPictureTests {
    private static func pairing() throws -> StoredPairing {
        try Pairings.pairing("Home", id: "a", fingerprint: "fp-home")
    }

    /// The gateway, which does not answer here, would be asked for a code, and it replaces the one before.
    @Test func thePathIsTriedBeforeAGatewayIsAsked() async throws {
        try await StoreOfTool.with([try Self.pairing()]) { store in
            let none = try store.makeFolder("none").appending(path: "gateway.socket").path
            let result = try await store.run(["link", "--control", none, "--svg", "/nonexistent/home.svg"])
            #expect(result.status == 74 && result.errors.contains("/nonexistent/home.svg"), "\(result)")
            #expect(result.output.isEmpty)
            let asked = try await store.run(["link", "--control", none])
            #expect(asked.status == 69, "\(asked)")
        }
    }

    /// A disk that is full shows itself only at the end.
    @Test(arguments: ["table", "json"]) func theLinkIsPrintedWithoutAPicture(_ format: String) async throws {
        try await StoreOfTool.with([try Self.pairing()]) { store in
            let result = try await store.run(["link", "--svg", "/dev/full", "--format", format])
            #expect(result.status == 74 && result.errors.contains("/dev/full"), "\(result)")
            #expect(result.output.contains("optaplus://pair?"), "\(result)")
        }
    }

    /// Where there is no link, no empty picture is left, and a file that was there is as it was.
    @Test func whatFailsLeavesNoFile() async throws {
        try await StoreOfTool.with([try Self.pairing()]) { store in
            let folder = try store.makeFolder("pictures")
            let (new, old) = (folder.appending(path: "new.svg").path, folder.appending(path: "old.svg").path)
            try Data("old".utf8).write(to: URL(filePath: old))
            for path in [new, old] {
                let result = try await store.run(["link", "--control", "/nonexistent/socket", "--svg", path])
                #expect(result.status == 69, "\(result)")
            }
            #expect(!FileManager.default.fileExists(atPath: new))
            #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
        }
    }

    /// While a gateway is asked, the process can be ended at any moment, by Ctrl-C or otherwise: nothing unfinished stays.
    @Test func nothingIsThereBeforeThePicture() async throws {
        try await StoreOfTool.with([]) { store in
            let path = try store.makeFolder("pictures").appending(path: "new.svg").path
            let file = try PictureFile(path: path)
            #expect(!FileManager.default.fileExists(atPath: path))
            try file.write("<svg/>", isSecret: true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "<svg/>")
        }
    }

    /// A picture with a secret is for this user alone, also in place of one that others could read.
    @Test(arguments: [true, false]) func aSecretIsForThisUserAlone(_ isSecret: Bool) async throws {
        try await StoreOfTool.with([]) { store in
            let folder = try store.makeFolder("pictures")
            for (name, before) in [("new", nil), ("old", 0o644)] as [(String, Int?)] {
                let path = folder.appending(path: name).path
                if let before {
                    try Data("a longer text than the new one".utf8).write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: path)
                }
                try PictureFile(path: path).write("<svg/>", isSecret: isSecret)
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "<svg/>")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
                #expect(isSecret ? mode == 0o600 : mode & 0o644 == mode && mode & 0o600 == 0o600, "\(mode)")
            }
        }
    }
}
