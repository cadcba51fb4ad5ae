import Foundation
import Testing

/// A process with hardly any free file descriptors ends with a message, and never by a trap, which would end a program
/// that embeds the package.
@Suite(.timeLimit(.minutes(1))) struct DescriptorTests {
    /// The tool, built beside the tests.
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("clawradar").path

    private func run(descriptors: Int, _ arguments: String) throws -> (status: Int32, isSignal: Bool, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "ulimit -n \(descriptors); exec '\(Self.tool)' \(arguments)"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason == .uncaughtSignal, text)
    }

    /// The check for free descriptors must not occupy the last ones even for a moment, because other threads need them:
    /// Dispatch ends the process if it gets no descriptor for its timer. An earlier check made one in ten runs crash.
    @Test func lookingForDescriptorsTakesNone() throws {
        for _ in 0..<30 {
            let (status, isSignal, text) = try run(descriptors: 8, "probe 127.0.0.1:1")
            try #require(!isSignal && status == 1, "\(status): \(text)")
        }
    }

    /// The result depends on the number of descriptors: either the probe says that too many files are open, or it
    /// reaches port 1 of this host, which refuses the connection.
    @Test(arguments: [8, 12, 20, 32])
    func aProbeWithoutDescriptorsSaysSo(count: Int) throws {
        let (status, isSignal, text) = try run(descriptors: count, "probe 127.0.0.1:1")
        #expect(!isSignal && status == 1, "\(status): \(text)")
        #expect(text.contains("too many files are open") || text.contains("connection refused"), "\(text)")
        #expect(count > 8 || text.contains("too many files are open"), "\(text)")
        #expect(count < 32 || text.contains("connection refused"), "\(text)")
    }

    @Test(arguments: [8, 12, 20])
    func aGatewayWithoutDescriptorsSaysSo(count: Int) throws {
        // No host has this address, so that the command also ends when there are enough descriptors to listen.
        let (status, isSignal, text) = try run(
            descriptors: count,
            "gateway --host 192.0.2.1 --port 0 --no-advertise"
        )
        #expect(!isSignal && status == 69, "\(status): \(text)")
        let isTooMany = text.contains("too many files are open")
        #expect(isTooMany || text.contains("Cannot assign requested address"), "\(text)")
        #expect(count > 8 || isTooMany, "\(text)")
    }
}
