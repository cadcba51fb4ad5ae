import DNSSD
import Foundation
import Testing

@testable import Agent

/// The key of a zone: whoever has it can change what everybody finds.
@Suite struct TransactionKeyFileTests {
    @Test(arguments: [
        "key \"site1\" {\n\talgorithm hmac-sha256;\n\tsecret \"SmVmZQ==\";\n};\n",
        "# of the kitchen\r\n  // of 2026\r\nkey site1 {secret SmVmZQ==; algorithm HMAC-SHA256; };",
    ])
    func keysAreReadAsServersWriteThem(text: String) {
        #expect(TransactionKeyFile.key(Array(text.utf8))?.name.escaped == "site1")
    }

    @Test(arguments: [
        "", "key \"site1\" { algorithm hmac-md5; secret \"SmVmZQ==\"; };",
        "key \"site1\" { algorithm hmac-sha256; secret \"\"; };",
        "key \"site1\" { algorithm hmac-sha256; secret \"?\"; };",
        "key \"a\" { algorithm hmac-sha256; secret \"SmVmZQ==\"; }; key \"b\" { algorithm hmac-sha256; secret \"SmVmZQ==\"; };",
        "hmac-sha256:site1:SmVmZQ==", "key \"a..b\" { algorithm hmac-sha256; secret \"SmVmZQ==\"; };",
    ])
    func everythingElseIsNone(text: String) {
        #expect(TransactionKeyFile.key(Array(text.utf8)) == nil)
    }

    /// A file to which others can write, or a word in an error, gives the zone away.
    @Test func aFileForOthersIsRefused() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "clawradar-key-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let write = { (text: String, mode: Int) in
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try write("key \"site1\" { algorithm hmac-sha256; secret \"SmVmZQ==\"; };", 0o666)
        #expect(throws: BackendError.self) { try TransactionKeyFile.signer(at: path) }
        try write("key \"site1\" { algorithm hmac-md5; secret \"SmVmZQ==\"; };", 0o600)
        let error = #expect(throws: BackendError.self) { try TransactionKeyFile.signer(at: path) }
        #expect(error?.message.contains("SmVmZQ") == false)
        try write("key \"site1\" { algorithm hmac-sha256; secret \"SmVmZQ==\"; };", 0o600)
        #expect(throws: Never.self) { try TransactionKeyFile.signer(at: path) }
    }
}
