import Foundation
import Testing

/// A process that has hardly a descriptor left ends with a reason, never by a trap: in an embedding program it would be that
/// program's end.
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

    /// Looking whether there are enough must not take the last ones from other threads, not even for a moment: Dispatch ends
    /// the process when it gets none for its timer. It did so in one of ten runs.
    @Test func lookingForDescriptorsTakesNone() throws {
        for _ in 0..<30 {
            let (status, isSignal, text) = try run(descriptors: 8, "probe 127.0.0.1:1")
            try #require(!isSignal && status == 1, "\(status): \(text)")
        }
    }

    /// Port 1 of this host refuses, where it can be asked.
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
        // An address that no host has: it ends where it could listen too.
        let (status, isSignal, text) = try run(
            descriptors: count,
            "gateway --host 192.0.2.1 --port 0 --no-advertise"
        )
        #expect(!isSignal && status == 69, "\(status): \(text)")
    }
}
