import Foundation
import Testing

/// `pair --clipboard` and `pair -`: a text that is read once, and that no message quotes.
@Suite(.timeLimit(.minutes(1))) struct ClipboardTests {
    /// A folder with a program that stands for that of a desktop, and writes down each of its runs.
    private final class Desktop {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID().uuidString)")

        init(_ script: String) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = "#!/bin/sh\necho run >> '\(folder.path)/runs'\n\(script)\n"
            try text.write(to: folder.appending(path: "wl-paste"), atomically: true, encoding: .utf8)
            let path = folder.appending(path: "wl-paste").path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var environment: [String: String] {
            ["PATH": "\(folder.path):/usr/bin:/bin", "WAYLAND_DISPLAY": "wayland-0"]
        }

        var runs: Int {
            let text = try? String(contentsOf: folder.appending(path: "runs"), encoding: .utf8)
            return text?.split(separator: "\n").count ?? 0
        }
    }

    @Test(arguments: [
        ("printf 'optaplus://pair?host=10.0.0.1&port=0&token=t0ken'", "The link cannot be used", 64 as Int32),
        ("printf 'oc-pair://t0ken?'", "The setup code cannot be used", 64),
        ("printf 't0ken and more'", "found something else", 64),
        ("exit 1", "wl-paste has given no text (exit status 1)", 69), ("true", "found no text", 69),
        ("exit 7", "wl-paste has failed (exit status 7)", 69), ("kill -9 $$", "wl-paste was ended by signal 9", 69),
        ("exec yes t0ken", "wl-paste prints more than the 16 KiB", 69),
        ("exec sleep 20", "wl-paste has not answered in 3 s", 69),
    ])
    func theClipboardIsReadOnceAndNotQuoted(_ script: String, _ message: String, _ status: Int32) async throws {
        let desktop = try Desktop(script)
        let result = try await Tool.run(["pair", "--clipboard", "--yes"], environment: desktop.environment)
        #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains("t0ken") && result.output.isEmpty)
        // It is there, whatever it does.
        #expect(!result.errors.contains("was not found"), "\(result.errors)")
        #expect(desktop.runs == 1)
    }

    /// A desktop without its program is told the package; one of two programs that fail is told, too.
    @Test func aProgramThatIsNotThereIsSaid() async throws {
        let desktop = try Desktop("exit 1")
        let empty = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID().uuidString)").path
        let none = try await Tool.run(
            ["pair", "--clipboard", "--yes"],
            environment: ["PATH": empty, "WAYLAND_DISPLAY": "wayland-0"]
        )
        #expect(none.status == 69 && none.errors.contains("wl-paste was not found (it is in the package wl-clipboard)"))
        let both = try await Tool.run(
            ["pair", "--clipboard", "--yes"],
            environment: ["PATH": desktop.folder.path + ":/bin-none", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]
        )
        #expect(both.errors.contains("wl-paste has given no text") && both.errors.contains("; xclip was not found"))
    }

    @Test func withoutADesktopThereIsNoClipboard() async throws {
        let result = try await Tool.run(["pair", "--clipboard"])
        #expect(result.status == 69 && result.errors.contains("no desktop"), "\(result.errors)")
    }

    /// Nothing of a desktop is read for another command line, not even for one that is wrong.
    @Test func nobodyReadsItUnasked() async throws {
        let desktop = try Desktop("printf 'optaplus://pair?host=10.0.0.1'")
        for arguments in [["pair", "--help"], ["pair", "--clipboard", "Home"], ["pair", "-", "--yes"]] {
            _ = try await Tool.run(arguments, environment: desktop.environment)
        }
        #expect(desktop.runs == 0)
    }

    @Test func standardInputThatIsEmptyIsNoLink() async throws {
        let result = try await Tool.run(["pair", "-", "--yes"])
        #expect(result.status != 0 && result.errors.contains("standard input"), "\(result.errors)")
    }
}
