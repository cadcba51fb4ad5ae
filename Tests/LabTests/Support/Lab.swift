import Foundation
import TestSupport
import Testing

/// The LAN of hosts that `scripts/lab run` creates for these tests.
enum Lab {
    /// The root of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The reason why there is no lab; `nil` if the tests run in one.
    static let absence: String? =
        if ProcessInfo.processInfo.environment["CLAWRADAR_LAB"] == nil {
            "not inside a lab: run them with scripts/test --lab"
        } else {
            nil
        }

    /// The tool under test.
    static let clawradar = BuiltPrograms.clawradar.path

    /// The reference gateway.
    static let referenceGateway = executable("reference-gateway")

    /// The programs of these tests: `Tests/TestTool`. The first argument says which one.
    static let testTool = executable("test-tool")

    /// Returns the path of another executable of this package.
    static func executable(_ name: String) -> String { BuiltPrograms.named(name).path }

    /// Indicates whether the tests that take minutes, or need more hosts, are run as well.
    static let isLong = ProcessInfo.processInfo.environment["CLAWRADAR_LAB_LONG"] != nil

    /// The time, in minutes, that processes have run before a test looks at them: `CLAWRADAR_LAB_AGE`, else none.
    static let age = ProcessInfo.processInfo.environment["CLAWRADAR_LAB_AGE"].flatMap(Int.init) ?? 0

    /// The folder in which several labs note the tests that they have taken: `CLAWRADAR_LAB_SHARED`; `nil` if this one
    /// runs all tests.
    static let sharedFolder = ProcessInfo.processInfo.environment["CLAWRADAR_LAB_SHARED"]

    /// Indicates whether other labs run beside this one. The last of them, which runs what is left, has the machine to
    /// itself: `CLAWRADAR_LAB_LAST`.
    static let hasOthersBeside =
        sharedFolder != nil && ProcessInfo.processInfo.environment["CLAWRADAR_LAB_LAST"] == nil

    /// The path of a Python interpreter that has the package `zeroconf`; `nil` if there is none.
    static let zeroconfPython = ProcessInfo.processInfo.environment["CLAWRADAR_ZEROCONF_PYTHON"]

    /// Returns the path of a script in the folder *Tools*.
    static func tool(_ name: String) -> String {
        root.appendingPathComponent("Tests/LabTests/Tools/\(name)").path
    }

    private static let script = root.appendingPathComponent("scripts/lab").path

    /// Starts a command on a host.
    static func start(on host: String, _ command: String...) throws -> LabProcess {
        try start(on: host, command)
    }

    /// Starts a command on a host.
    static func start(on host: String, _ command: [String]) throws -> LabProcess {
        try LabProcess([script, "exec", host] + command)
    }

    /// Runs a command on a host, and waits for its end.
    static func run(
        on host: String,
        _ command: String...,
        within limit: Duration = .seconds(30)
    ) async throws -> LabProcess.Result {
        try await run(on: host, command, within: limit)
    }

    /// Runs a command on a host, and waits for its end.
    static func run(
        on host: String,
        _ command: [String],
        within limit: Duration = .seconds(30)
    ) async throws -> LabProcess.Result {
        try await start(on: host, command).finish(within: limit)
    }

    /// Runs a verb of `scripts/lab`, which must succeed.
    static func control(_ arguments: String...) async throws { try await control(arguments) }

    /// Runs a verb of `scripts/lab`, which must succeed.
    static func control(_ arguments: [String]) async throws {
        let process = try LabProcess([script] + arguments)
        let result = try await process.finish(within: .seconds(30))
        try #require(result.status == 0, "scripts/lab \(arguments.joined(separator: " ")): \(result.errors)")
    }

    /// Returns the IPv4 address of a host on an interface.
    static func address(_ host: String, _ interface: String = "eth0") async throws -> String {
        let process = try LabProcess([script, "address", host, interface])
        return try await process.finish(within: .seconds(10)).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
