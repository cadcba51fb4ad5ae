import Foundation
import HostSystem
import Testing

/// `clawradar agent install` and `uninstall`, with programs in place of systemd's that note how they are called.
@Suite(.timeLimit(.minutes(1))) struct AgentInstallTests {
    private let folder: URL
    private var unit: URL { folder.appending(path: "config/systemd/user/clawradar-agent.service") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "install-\(UUID().uuidString)")
        let programs = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        for name in ["systemctl", "loginctl"] {
            let program = programs.appending(path: name).path
            let script = "#!/bin/sh\necho \"\(name) $*\" >>'\(folder.path)/calls'\n"
            try script.write(toFile: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        }
    }

    private func run(_ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(
            ["agent"] + arguments,
            environment: [
                "PATH": "\(folder.path)/bin:/usr/bin:/bin", "XDG_CONFIG_HOME": folder.appending(path: "config").path,
            ]
        )
    }

    /// Returns the calls since the last time.
    private func calls() throws -> [String] {
        let file = folder.appending(path: "calls")
        defer { try? FileManager.default.removeItem(at: file) }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// `uninstall` takes back what `install` has set, and nothing else.
    @Test(.enabled(if: !Lingering.isOn, "this user lingers"), arguments: [false, true]) func itTakesBackWhatItHasSet(
        lingers: Bool
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let installed = lingers ? try await run("install", "--linger") : try await run("install")
        #expect(installed.status == 0, "\(installed.errors)")
        #expect(try calls().contains("loginctl enable-linger") == lingers)
        #expect(try String(contentsOf: unit, encoding: .utf8).contains("X-Clawradar-Lingering=yes") == lingers)
        let removed = try await run("uninstall")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try calls().contains("loginctl disable-linger") == lingers)
        #expect(!FileManager.default.fileExists(atPath: unit.path))
        #expect(try await run("uninstall").status == 1)
    }

    /// A shell may have folders of which the service manager does not know: the agent gets them, and the unit is enabled where
    /// it is.
    @Test func theFoldersOfTheShellGoAlong() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let installed = try await run("install")
        #expect(installed.status == 0 && installed.errors.contains("the agent has the folders of this shell: "))
        #expect(try calls().contains("systemctl --user enable \(unit.path)"))
        let config = folder.appending(path: "config").path
        #expect(try String(contentsOf: unit, encoding: .utf8).contains("Environment=\"XDG_CONFIG_HOME=\(config)\"\n"))
    }

    /// A unit of the same name that somebody else has written stays as it is.
    @Test func aUnitOfSomebodyElseIsLeftAlone() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: unit.deletingLastPathComponent(), withIntermediateDirectories: true)
        let own = "[Unit]\nDescription=mine\n"
        try own.write(to: unit, atomically: true, encoding: .utf8)
        for verb in ["install", "uninstall"] {
            let result = try await run(verb)
            #expect(result.status == 69)
            #expect(result.errors.contains("expected a file that this command has written"), "\(result.errors)")
        }
        #expect(try String(contentsOf: unit, encoding: .utf8) == own)
    }
}
