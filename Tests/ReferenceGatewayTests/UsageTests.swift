import Logging
import ReferenceGateway
import TestSupport
import Testing

// The listings in *Usage* sections of doc comments of `ReferenceGateway`, word for word: change both together.

private func serving(
    _ state: GatewayState,
    _ configuration: GatewayServerConfiguration,
    logger: Logger
) async throws {
    try await GatewayServer.withServer(state, configuration, logger: logger) { server in
        print("listens on \(server.endpoint)")
        try await Task.sleep(for: .seconds(60))
    }
}

/// The *Usage* sections of doc comments compile.
@Suite struct UsageTests {
    @Test func theUsagesAreCompiled() throws {
        let usages = try SourceFile.all(of: "ReferenceGateway").flatMap(\.usages)
        #expect(!usages.isEmpty)
        #expect(try usages.filter { try !$0.isCompiled(in: #filePath) } == [])
    }
}
