import ArgumentParser
import DNSSD
import Foundation
import Testing

@testable import Commands
@testable import Console

/// The outputs on both standard streams and the exit statuses of runs of the tool that need no network.
@Suite(.timeLimit(.minutes(1))) struct StatusGoldenTests {
    private static let recording = Golden.recording.file.path

    /// Replaces the parts of a text that differ from run to run.
    private static func fixed(_ text: String) -> String {
        text.replacing(/\d+\.\d ms/, with: "N ms").replacing(/(127\.0\.0\.1:)\d{4,5}/) { "\($0.output.1)PORT" }
            .replacing(Golden.folder.path, with: "GOLDENS").replacing(/this host has: .*/, with: "this host has: …")
            .replacing(/\ {2,}/, with: "  ")
    }

    @Test func statuses() async throws {
        var text = ""
        func add(_ arguments: [String], _ result: Tool.Result, _ remark: String = "") {
            text += Self.fixed("$ clawradar \(arguments.joined(separator: " "))\(remark)\n\(result.transcript)\n")
        }
        let commandLines = [
            // Status 1: no gateway answered. Nobody listens on port 1.
            ["probe", "127.0.0.1:1"], ["probe", "[fe80::1%nothing]:1"], ["probe", "fe80::1%nothing"],
            // Status 64: the command line or a file that it names is invalid.
            ["scan", "--timeout", "x"], ["watch", "--replay", "/nonexistent"], ["watch", "--replay", "/dev/null"],
            ["watch", "--replay", Golden.help.file.path], ["advertise", "--gateway", "192.0.2.1:3000"],
            ["gateway"], ["gateway", "--help"], ["gateway", "approve", "5b0e", "--port", "1"],
            // Status 74: a file cannot be written.
            ["watch", "--record", "/dev/full"],
        ]
        for arguments in commandLines { add(arguments, try await Tool.run(arguments)) }
        let ofGateway = [
            ["--bots", "/nonexistent"],
            // Status 69: something that is needed is not available. No host has this address (RFC 5737).
            ["--host", "192.0.2.1"],
            ["--no-advertise", "--state", "/nonexistent/state.json"],
        ]
        for arguments in ofGateway {
            let result = try await Tool.run(arguments, of: Tool.gateway)
            text += Self.fixed("$ reference-gateway \(arguments.joined(separator: " "))\n\(result.transcript)\n")
        }

        let configured = ["CLAWRADAR_GATEWAYS": "10.0.0.1:1,nonsense"]
        add(["scan"], try await Tool.run(["scan"], environment: configured), " # CLAWRADAR_GATEWAYS=…,nonsense")
        let full = ["watch", "--replay", Self.recording]
        add(full, try await Tool.run(full, outputPath: "/dev/full"), " >/dev/full")
        let table = ["probe", "127.0.0.1:1", "--format", "json"]
        add(table, try await Tool.run(table, outputPath: "/dev/full"), " >/dev/full")
        try Golden.statuses.expect(text)
    }

    /// A reader that closes the pipe, such as `head`, has read enough: the tool ends with status 0.
    @Test func aReaderThatGoesIsNoError() async throws {
        let command = "\"$0\" watch --replay \"$1\" --format ndjson | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}"
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", command, Tool.executable.path, Self.recording]
        shell.standardOutput = output
        try shell.run()
        #expect(try output.fileHandleForReading.readToEnd() == Data("0\n".utf8))
    }

    /// Where standard output is closed, results are lost and that is an error: no descriptor of the process takes its place.
    @Test(arguments: [">&-", "<&- >&-", "<&- >&- 2>&-"]) func aClosedOutputIsAnError(_ closed: String) async throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        let command = "timeout 30 \"$0\" watch --replay \"$1\" \(closed); echo $? >&3"
        let output = Pipe()
        shell.arguments = ["-c", "exec 3>&1; \(command)", Tool.executable.path, Self.recording]
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        #expect(try output.fileHandleForReading.readToEnd() == Data("74\n".utf8))
    }

    /// Each kind of failure of a backend has a fixed exit status.
    @Test(
        arguments: [
            (.noMessageBus, 69), (.noDaemon, 69), (.daemonNotAnswering, 69), (.refused, 69),
            (.limitReached, 69), (.nameConflict, 69), (.noBackend, 69), (.noInterface, 69), (.invalid, 64),
            (.internalFault, 70),
        ] as [(ErrorCode<BackendError>, Int32)]
    )
    func backendsFail(code: ErrorCode<BackendError>, status: Int32) {
        #expect(CommandFailure(BackendError(code, "no")).status.rawValue == status)
    }
}
