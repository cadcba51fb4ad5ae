import ArgumentParser
import Foundation
import GatewayProtocol
import Testing

@testable import Commands
@testable import Console

@Suite(.timeLimit(.minutes(1))) struct AgentUnitTests {
    private static let verifier = "/usr/bin/systemd-analyze"

    @Test func thePathIsOneWordInWhichNothingIsReplaced() {
        let text = AgentUnit(program: "/opt/my %h $HOME \"x\"/clawradar").text
        #expect(text.contains("ExecStart=\"/opt/my %%h $$HOME \\\"x\\\"/clawradar\" agent\n"))
    }

    /// The agent of a user has the folders of the shell in which it was installed: otherwise what is paired here is not
    /// paired there. In such lines systemd replaces specifiers, and no variables.
    @Test func theUnitHasTheFoldersOfTheShell() throws {
        func lines(_ arguments: [String], _ environment: [String: String]) throws -> [Substring] {
            let unit = try AgentInstallCommand.parse(arguments).unit(of: "/bin/true", environment: environment)
            return unit.text.split(separator: "\n").filter { $0.hasPrefix("Environment=") }
        }
        let usual = [
            "HOME": "/home/a", "XDG_CONFIG_HOME": "/home/a/.config/", "XDG_DATA_HOME": "/home/a/.local/share",
            "XDG_STATE_HOME": "relative",
        ]
        #expect(try lines([], usual).isEmpty && lines([], [:]).isEmpty)
        let other = ["HOME": "/home/a", "XDG_DATA_HOME": "/srv/a $b \"c\" %d\nx", "XDG_STATE_HOME": "/srv/state"]
        #expect(
            try lines([], other) == [
                #"Environment="XDG_DATA_HOME=/srv/a $b \"c\" %%d\nx""#, #"Environment="XDG_STATE_HOME=/srv/state""#,
            ]
        )
        // That of the system has folders of its own.
        #expect(try lines(["--system"], other) == ["Environment=XDG_CONFIG_HOME=/etc"])
    }

    /// The unit names the link by which the program was called: what it leads to changes with the next version.
    @Test func theUnitNamesTheLink() {
        func path(_ name: String, _ existing: String) -> String? {
            ServiceManagerCalls.path(of: name, in: "/usr/bin:/home/a/bin:tools", folder: "/home/a") { $0 == existing }
        }
        #expect(path("clawradar", "/home/a/bin/clawradar") == "/home/a/bin/clawradar")
        #expect(path("clawradar", "/home/a/tools/clawradar") == "/home/a/tools/clawradar")
        #expect(path("./clawradar", "/home/a/clawradar") == "/home/a/clawradar")
        #expect(path("../b/./clawradar", "/home/b/clawradar") == "/home/b/clawradar")
        #expect(path("/opt/clawradar", "/opt/clawradar") == "/opt/clawradar")
        #expect(path("clawradar", "/nowhere/clawradar") == nil && path("", "/usr/bin") == nil)
    }

    /// An agent that has other places than whoever looks is said: what is paired here is not paired there.
    @Test func placesOfTheAgentThatDifferAreSaid() {
        let agent: JSONValue = .object([
            "folder": .string("/srv/data/clawradar"), "configuration": .string("/home/a/.config/clawradar/config.yaml"),
        ])
        func lines(_ folder: String?, _ configuration: String?) -> [String] {
            AgentTable.differences(agent, folder: folder, configuration: configuration)
        }
        #expect(lines("/srv/data/clawradar/", "/home/a/.config/clawradar/config.yaml").isEmpty)
        #expect(lines(nil, nil).isEmpty)
        #expect(AgentTable.differences(.object([:]), folder: "/x", configuration: "/y").isEmpty)
        let other = lines("/home/a/.local/share/clawradar", "/etc/clawradar/config.yaml")
        #expect(other.count == 2 && other[0].contains("pairings are in /srv/data/clawradar, and those of this shell"))
        #expect(other[1].contains("that of this shell /etc/clawradar/config.yaml"))
    }

    /// systemd reads bytes: no scalar beside a mark hides it, and no path makes another line.
    @Test func noScalarHidesTheEndOfThePath() {
        for scalar in ["\u{301}", "\u{D4E}", "\u{20E3}", "\u{200D}"] {
            let text = AgentUnit(program: "/opt/\(scalar)\"\(scalar)\r\n\(scalar)$\(scalar)%\(scalar)\\\(scalar)").text
            let wanted =
                "ExecStart=\"/opt/\(scalar)\\\"\(scalar)\\r\\n\(scalar)$$\(scalar)%%\(scalar)\\\\\(scalar)\" agent"
            #expect(text.utf8.split(separator: 0x0A).contains { Array($0) == Array(wanted.utf8) })
        }
    }

    /// The options with which the agent is installed stay in the unit; and only the agent of the system is open to a
    /// group.
    @Test func theUnitHasTheOptions() throws {
        func command(_ arguments: String...) throws -> String? {
            let install = try AgentInstallCommand.parse(arguments)
            let text = install.unit(of: "/bin/true").text
            return text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }.map(String.init)
        }
        #expect(try command() == "ExecStart=\"/bin/true\" agent")
        #expect(try command("--port", "7417") == "ExecStart=\"/bin/true\" agent --port 7417")
        #expect(try command("--system") == "ExecStart=\"/bin/true\" agent --shared")
        #expect(try command("--system", "--port", "7417") == "ExecStart=\"/bin/true\" agent --shared --port 7417")
        #expect(throws: (any Error).self) { try AgentInstallCommand.parse(["--port", "0"]) }
    }

    /// The commands of the agent of the system are run as it is: with its folders, its configuration and its key.
    @Test func theGuideRunsItsCommandsAsTheUnitDoes() throws {
        let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/agent.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let start = try #require(text.range(of: "systemd-run ")?.lowerBound)
        let words = text[start...].prefix { $0 != "`" }.split { " \\\n".contains($0) }
        let unit = AgentUnit(program: "/bin/true", manager: .ofSystem).text.split(separator: "\n")
        func setting(_ name: String) throws -> Substring {
            try #require(unit.first { $0.hasPrefix("\(name)=") }).dropFirst(name.count + 1)
        }
        let expected = [
            "--uid=\(try setting("User"))", "--setenv=\(try setting("Environment"))",
            "--setenv=STATE_DIRECTORY=/var/lib/\(try setting("StateDirectory"))",
            "--setenv=RUNTIME_DIRECTORY=/run/\(try setting("RuntimeDirectory"))",
            "--property=LoadCredential=\(try setting("LoadCredential"))",
        ]
        for word in expected { #expect(words.contains(word[...]), "\(word)") }
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
