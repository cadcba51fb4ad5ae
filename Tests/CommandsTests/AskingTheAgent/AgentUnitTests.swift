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
    func systemdUnderstandsTheUnit() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: AgentUnit.name)
        try AgentUnit(program: "/bin/true").text.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: Self.verifier)
        process.arguments = ["verify", "--user", "--man=no", file.path]
        // It wants the folder of a user who is logged in.
        process.environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(!said.contains(AgentUnit.name), "\(said)")
    }
}
