import Foundation
import SystemPackage
import Testing

@testable import HostSystem

/// The commands in messages about files: whoever pastes one runs nothing that is in the name of a file or folder.
@Suite struct PathAdviceTests {
    /// A folder whose name has a command in it, as a shell reads it.
    @Test func aNameRunsNothing() throws {
        for name in [
            "a;touch F", "a`touch F`", "a$(touch F)", "a'\u{301};touch F;'", "a\n touch F", "a\u{D4E}`touch F`",
        ] {
            let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let error = #expect(throws: SafeFileError.self) {
                try PrivateFolder(path: FilePath(folder.path)).check()
            }
            #expect(error?.found == "one that is open to others")
        }
    }

    /// Each scalar that is not known to mean itself takes the command away, and a space is in quotation marks.
    @Test func wordsAreKnown() {
        #expect(PathAdvice.run("chmod 600", "/home/me/a-b_c.d") == ". Run: chmod 600 /home/me/a-b_c.d")
        #expect(PathAdvice.run("chmod 600", "/home/My Files/a") == ". Run: chmod 600 '/home/My Files/a'")
        #expect(PathAdvice.run("chmod 600", "-R").isEmpty)
        for value in UInt32(1)...0x2FFF {
            guard let scalar = Unicode.Scalar(value), !scalar.properties.isASCIIHexDigit else { continue }
            let isKnown =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || "/._-+@:, 0123456789".unicodeScalars.contains(scalar))
            #expect(PathAdvice.run("chmod 600", FilePath("/a\(scalar)b")).isEmpty == !isKnown, "\(value)")
        }
    }
}
