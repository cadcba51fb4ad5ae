import Foundation
import Glibc
import Testing

/// An environment for a command that the test makes crash: a folder of its own, no limit of the size of core files, and
/// the most detailed backtrace that Swift offers.
final class CrashScene: Sendable {
    private static let script = """
        ulimit -c unlimited; cd -- "$1" || exit; shift
        setpriv --pdeathsig KILL "$@" & echo $! >pid; wait $!; echo "ended $?" >&2
        """

    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("clawradar-crash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the command that runs another command in this environment.
    func command(_ command: [String]) -> [String] {
        let backtrace =
            "SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,threads=all,registers=all,images=all,limit=none"
        return ["env", backtrace, "bash", "-c", Self.script, "bash", url.path] + command
    }

    /// The number of the process is not written yet.
    private struct NotRunning: Error {}

    /// Waits until the command runs.
    func waitUntilRunning() async throws {
        try #require(await InProcess.wait(within: .seconds(10)) { (try? pid()) != nil })
    }

    private func pid() throws -> pid_t {
        let text = try String(contentsOf: url.appendingPathComponent("pid"), encoding: .utf8)
        // Not a requirement: a requirement that is not met fails the test, even where its error is caught.
        guard let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotRunning() }
        return pid
    }

    /// Returns the resource limits of the command, as lines of the file of the kernel.
    func limits() throws -> [String] {
        try String(contentsOfFile: "/proc/\(try pid())/limits", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Makes the command crash, and waits for its end.
    func crash(_ process: LabProcess) async throws -> LabProcess.Result {
        kill(try pid(), SIGSEGV)
        var patience = Patience(.seconds(100))
        while process.isRunning, patience.isLeft() {
            try await Task.sleep(for: .milliseconds(100))
            // After the backtrace, Swift removes its handlers and resumes the program, so that a real fault recurs and
            // ends it. The signal of a test does not recur, and must be sent again. It must not come before the
            // handlers are removed, since they do not expect a second signal.
            if process.errorText.contains("Backtrace took"), let id = try? pid(), !catchesFaults(id) {
                kill(id, SIGSEGV)
            }
        }
        return try await process.finish(within: .seconds(20))
    }

    /// Returns whether a process has a handler for SIGSEGV.
    private func catchesFaults(_ id: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & (1 << UInt64(SIGSEGV - 1)) != 0 } ?? false
    }

    /// Returns the files that the command has left in its folder, which are core files.
    func cores() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0 != "pid" }
    }
}
