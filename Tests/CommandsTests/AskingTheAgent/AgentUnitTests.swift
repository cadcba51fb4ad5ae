import Foundation
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1))) struct AgentUnitTests {
    private static let verifier = "/usr/bin/systemd-analyze"

    @Test func thePathIsOneWordInWhichNothingIsReplaced() {
        let text = AgentUnit(program: "/opt/my %h $HOME \"x\"/clawradar").text
        #expect(text.contains("ExecStart=\"/opt/my %%h $$HOME \\\"x\\\"/clawradar\" agent\n"))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: verifier), "no systemd-analyze"))
    func systemdUnderstandsTheUnits() throws {
        for manager in [AgentUnit.Manager.ofUser, .ofSystem] {
            let options = manager == .ofUser ? ["--user"] : []
            let (status, said) = try Self.analyze(
                AgentUnit(program: "/bin/true", manager: manager),
                ["verify"] + options
            )
            #expect(status == 0, "\(said)")
            #expect(!said.contains(AgentUnit.name), "\(said)")
        }
    }

    /// The exposure is at most 2.0 of 10 for the system. What a user's manager cannot have keeps that of a user high.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: verifier), "no systemd-analyze"))
    func theUnitsExposeLittle() throws {
        for (manager, limit) in [(AgentUnit.Manager.ofUser, 70), (.ofSystem, 20)] {
            let unit = AgentUnit(program: "/bin/true", manager: manager)
            let (status, said) = try Self.analyze(unit, ["security", "--offline=true", "--threshold=\(limit)"])
            #expect(status == 0, "\(said)")
        }
    }

    @Test func theSystemSeesNoProgramInAHomeFolder() {
        for path in ["/home/a/clawradar", "/root/bin/clawradar", "/tmp/clawradar", "/run/user/1000/clawradar"] {
            #expect(!AgentUnit(program: path, manager: .ofSystem).isRunnable)
            #expect(AgentUnit(program: path).isRunnable)
        }
        #expect(AgentUnit(program: "/usr/local/bin/clawradar", manager: .ofSystem).isRunnable)
    }

    /// Asks systemd about a unit.
    private static func analyze(_ unit: AgentUnit, _ arguments: [String]) throws -> (status: Int32, said: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: AgentUnit.name)
        try unit.text.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: verifier)
        process.arguments = arguments + (arguments[0] == "verify" ? ["--man=no"] : []) + [file.path]
        // It wants the folder of a user who is logged in.
        process.environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }
}
