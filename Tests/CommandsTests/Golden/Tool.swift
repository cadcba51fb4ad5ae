import Foundation
import Glibc
import TestSupport

/// The tool, run as a process. No command line that the tests give it leads to another host.
struct Tool {
    /// The result of a run.
    struct Result {
        let output: String
        let errors: String
        let status: Int32

        /// The time at which the process ended, measured when it did: the test may be resumed later.
        let endedAt: ContinuousClock.Instant

        /// The result as a terminal would show it: standard output, the lines of standard error after `2> `, and the
        /// exit status.
        var transcript: String {
            output + errors.split(separator: "\n").map { "2> \($0)\n" }.joined() + "[exit status \(status)]\n"
        }
    }

    static let executable = BuiltPrograms.clawradar

    static let gateway = BuiltPrograms.named("reference-gateway")

    private let process = Process()
    private let output: AsyncStream<Data>
    private let errors: AsyncStream<Data>
    private let ends: AsyncStream<(status: Int32, time: ContinuousClock.Instant)>

    /// Starts the tool in an environment without any variables of the user.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - program: The program that is run: the tool, or the reference gateway.
    ///   - environment: Additional variables.
    ///   - outputPath: A file that receives standard output; the result then contains none of it.
    ///   - pipe: A pipe that receives both streams; the result then contains neither.
    init(
        _ arguments: [String],
        of program: URL = executable,
        environment: [String: String] = [:],
        outputPath: String? = nil,
        pipe: FileHandle? = nil
    ) throws {
        let (ends, end) = AsyncStream.makeStream(of: (status: Int32, time: ContinuousClock.Instant).self)
        let (output, errors) = (Pipe(), Pipe())
        self.ends = ends
        process.executableURL = program
        process.arguments = arguments
        let places = ["HOME": "/nonexistent", "XDG_RUNTIME_DIR": "/nonexistent"]
        process.environment = ["TZ": "UTC"].merging(places) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let file = try outputPath.map { try FileHandle(forWritingTo: URL(filePath: $0)) } ?? pipe
        process.standardOutput = file ?? output
        process.standardError = pipe ?? errors
        process.terminationHandler = { process in
            // A process that a signal ended has the status that a shell would show.
            let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
            end.yield((status, .now))
            end.finish()
        }
        try process.runWithSignals()
        if file != nil { try output.fileHandleForWriting.close() }
        if pipe != nil { try errors.fileHandleForWriting.close() }
        (self.output, self.errors) = (Self.chunks(of: output), Self.chunks(of: errors))
    }

    /// Runs the tool until it ends.
    static func run(
        _ arguments: [String],
        of program: URL = executable,
        environment: [String: String] = [:],
        outputPath: String? = nil
    ) async throws -> Result {
        try await Tool(arguments, of: program, environment: environment, outputPath: outputPath).end()
    }

    /// Returns the first output that the tool prints. The result of ``end()`` contains only the rest.
    func firstOutput() async -> String {
        for await chunk in output { return String(decoding: chunk, as: UTF8.self) }
        return ""
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until the tool ends, and returns the result.
    func end() async -> Result {
        let output = await Self.text(output)
        let errors = await Self.text(errors)
        let (status, time) = await ends.reduce((-1, .now)) { $1 }
        return Result(output: output, errors: errors, status: status, endedAt: time)
    }

    /// Reads a pipe on a thread of its own, so that a full pipe never blocks the tool.
    private static func chunks(of pipe: Pipe) -> AsyncStream<Data> {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        let reader = pipe.fileHandleForReading
        Thread {
            while case let chunk = reader.availableData, !chunk.isEmpty { continuation.yield(chunk) }
            continuation.finish()
        }.start()
        return chunks
    }

    private static func text(_ chunks: AsyncStream<Data>) async -> String {
        String(decoding: await chunks.reduce(into: Data()) { $0 += $1 }, as: UTF8.self)
    }
}
