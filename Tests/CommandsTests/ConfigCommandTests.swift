import Foundation
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
}
