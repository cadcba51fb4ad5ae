import Foundation
import Pairing
import Testing

@testable import Commands

/// The messages about a configuration that is wrong.
@Suite(.timeLimit(.minutes(1))) struct ConfigCommandTests {
    /// Each mistake has a line of its own, whichever command reads the file.
    @Test(arguments: [["config"], ["config", "check"], ["agent"], ["scan", "--backend", "embedded"]])
    func eachMistakeHasALine(arguments: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = folder.appending(path: "clawradar")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let file = own.appending(path: "config.yaml")
        try Data("gateways: [x]\nother: 1\n".utf8).write(to: file)
        let places = ["XDG_CONFIG_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let result = try await Tool.run(arguments, environment: places)
        #expect(result.status == 64)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(result.errors)")
        for (line, number) in zip(lines, 1...) {
            #expect(line.hasPrefix("clawradar: error: \(file.path):\(number): "), "\(line)")
        }
    }

    /// What is well written and leads nowhere is said: a mistyped name, which would tell nobody of a death, and a program that is not
    /// there. All names of a paired gateway lead to it.
    @Test(arguments: [["config"], ["config", "check"]])
    func whatLeadsNowhereIsSaid(arguments: [String]) async throws {
        var pairing = try Pairings.pairing("Home Gateway", id: "a")
        pairing.ownName = "Studio"
        try await StoreOfTool.with([pairing]) { tool in
            let config = try tool.makeFolder("config")
            let own = try tool.makeFolder("config/clawradar")
            let text = """
                notify:
                  watch: [Home Gateway, Studio, Hme Gateway]
                  sinks:
                  - {name: a, exec: [/nowhere/tell]}
                """
            try Data(text.utf8).write(to: own.appending(path: "config.yaml"))
            var places = tool.environment
            (places["XDG_CONFIG_HOME"], places["XDG_RUNTIME_DIR"]) = (config.path, config.path)
            let errors = try await Tool.run(arguments, environment: places).errors
            #expect(errors.contains("watch: “Hme Gateway” is no gateway"), "\(errors)")
            #expect(errors.contains("Did you mean “Home Gateway”?"), "\(errors)")
            #expect(errors.contains("/nowhere/tell"), "\(errors)")
            #expect(errors.ranges(of: "is no gateway").count == 1, "\(errors)")
        }
    }
}
