import Foundation
import Testing

@testable import Commands

/// Whoever has paired nothing, and has an older configuration at its usual place, is told how it is imported.
@Suite(.timeLimit(.minutes(1))) struct OlderConfigurationTests {
    @Test func itIsOfferedWhereItLies() async throws {
        try await StoreOfTool.with([]) { home in
            let folder = try home.makeFolder("config folder/clawradar")
            let environment = ["XDG_CONFIG_HOME": folder.deletingLastPathComponent().path]
            #expect(OlderConfiguration.offer(environment: environment) == nil)
            let path = folder.appending(path: "bots.json").path
            try Data("[]".utf8).write(to: URL(filePath: path))
            let offer = try #require(OlderConfiguration.offer(environment: environment))
            // The path has a space.
            #expect(offer.contains("clawradar migrate ") && offer.contains("config folder/clawradar/bots.json"))
            #expect(!offer.contains("migrate \(path)"))

            let variables = home.environment.merging(environment) { $1 }
            // `status` says it, too, after it has looked: PrintedCommandLabTests.
            let result = try await Tool.run(["pairings"], environment: variables)
            #expect(result.errors.contains("clawradar migrate"), "\(result.errors)")
        }
        // What is paired already needs no offer.
        try await StoreOfTool.with(try Pairings.home()) { home in
            let folder = try home.makeFolder("config/clawradar")
            try Data("[]".utf8).write(to: folder.appending(path: "bots.json"))
            let variables = home.environment.merging(
                ["XDG_CONFIG_HOME": folder.deletingLastPathComponent().path]
            ) { $1 }
            let result = try await Tool.run(["pairings"], environment: variables)
            #expect(!result.errors.contains("migrate"), "\(result.errors)")
        }
    }
}
