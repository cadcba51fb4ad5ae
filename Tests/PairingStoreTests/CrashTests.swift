import Foundation
import Testing

/// The short form of `scripts/crash-store`: a store that is killed, and whose calls fail, is as it was reported.
@Suite struct CrashTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The status with which the script says that strace or private mounts are refused here.
    private static let refused: Int32 = 77

    @Test(.timeLimit(.minutes(10))) func fiftyCrashesLoseNothing() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.root.appending(path: "scripts/crash-store")
        process.arguments = ["--rounds", "50", "--no-build"]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == Self.refused {
            print("fiftyCrashesLoseNothing is skipped: \(text)")
            #expect(ProcessInfo.processInfo.environment["CI"] != "true", "it cannot be skipped where CI=true")
        } else {
            #expect(process.terminationStatus == 0, "\(text)")
            #expect(text.contains("in all of 50 rounds"))
        }
    }
}
