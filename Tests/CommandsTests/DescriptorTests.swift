import Foundation
import Testing

/// A process with hardly any free file descriptors ends with a message, and never by a trap, which would end a program
/// that embeds the package.
@Suite(.timeLimit(.minutes(1))) struct DescriptorTests {
    /// The tool, built beside the tests.
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("clawradar").path

    private func run(
        _ limit: String,
        _ arguments: String,
        within seconds: Double = 0.7
    ) throws -> (status: Int32, isSignal: Bool, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        // Without a network, so that no packet leaves this host. A verb that does not end is ended.
        let timeout = "/usr/bin/timeout --preserve-status -s INT \(seconds)"
        let script = "ulimit \(limit); exec \(timeout) '\(Self.tool)' \(arguments)"
        process.arguments = ["-rn", "/bin/bash", "-c", script]
        process.environment = ["HOME": FileManager.default.temporaryDirectory.path, "LC_ALL": "C"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason == .uncaughtSignal, text)
    }

    /// With too few descriptors, every verb says so in one sentence and ends with status 69; with more, none is ended by
    /// a trap. With three or fewer, the system cannot even load the program, and says that itself.
    @Test(
        arguments: [
            "--version", "probe 127.0.0.1:1", "scan --backend embedded --timeout 0.2", "watch --backend embedded",
            "connect --backend embedded", "pair 127.0.0.1:1 --backend embedded",
        ]
    )
    func noNumberOfDescriptorsEndsItByATrap(verb: String) throws {
        for count in 0...64 {
            let (status, isSignal, text) = try run("-n \(count)", verb)
            // 130: the signal that is to end it came before it was ready for that.
            #expect(!isSignal && (status < 128 || status == 130), "\(count): \(status): \(text)")
            if count <= 3 {
                #expect([69, 126, 127].contains(status), "\(count): \(status): \(text)")
            } else if count <= 48 {
                #expect(status == 69, "\(count): \(status): \(text)")
                #expect(text.contains("open files") && text.split(separator: "\n").count == 1, "\(count): \(text)")
            }
        }
    }

    /// With too little address space, too, whatever the verb.
    @Test(
        arguments: [400_000, 500_000, 1_000_000],
        ["scan --backend embedded --timeout 0.2", "watch --backend embedded", "status", "agent", "history"]
    )
    func tooLittleMemoryIsSaid(kilobytes: Int, verb: String) throws {
        let (status, isSignal, text) = try run("-v \(kilobytes)", verb)
        #expect(!isSignal && status == 69, "\(status): \(text)")
        #expect(text.contains("virtual memory") && text.split(separator: "\n").count == 1, "\(text)")
    }

    /// With as much address space as it asks for, no verb is ended by a trap.
    @Test(
        arguments: [
            "probe 127.0.0.1:1", "scan --backend embedded --timeout 0.2", "watch --backend embedded",
            "connect --backend embedded",
        ]
    )
    func theLeastMemoryIsEnough(verb: String) throws {
        let (status, isSignal, text) = try run("-v 1572864", verb)
        #expect(!isSignal && (status < 128 || status == 130), "\(status): \(text)")
        #expect(!text.contains("virtual memory"), "\(text)")
    }

    /// A limit that the user has lowered for the shell alone is raised, so that nothing is short: the probe only misses the network.
    @Test func aLimitThatCanBeRaisedIsRaised() throws {
        let (status, isSignal, text) = try run("-S -n 9", "probe 127.0.0.1:1", within: 20)
        #expect(!isSignal && status == 1 && text.contains("network unreachable"), "\(status): \(text)")
    }
}
