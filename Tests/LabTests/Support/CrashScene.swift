import Foundation
import Glibc
import Testing

/// A place in which a command is run that is to crash: with a folder of its own, nothing that forbids a core, and a backtrace with
/// all that Swift can tell.
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

    /// The command that runs another one here.
    func command(_ command: [String]) -> [String] {
        let backtrace =
            "SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,threads=all,registers=all,images=all,limit=none"
        return ["env", backtrace, "bash", "-c", Self.script, "bash", url.path] + command
    }

    /// Waits until it runs.
    func began() async throws {
        try #require(await InProcess.wait(within: .seconds(10)) { (try? pid()) != nil })
    }

    private func pid() throws -> pid_t {
        let text = try String(contentsOf: url.appendingPathComponent("pid"), encoding: .utf8)
        return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// The limits under which it runs, one a line.
    func limits() throws -> [String] {
        try String(contentsOfFile: "/proc/\(try pid())/limits", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Makes it crash, and waits until it has ended.
    func crash(_ process: LabProcess) async throws -> LabProcess.Result {
        kill(try pid(), SIGSEGV)
        var patience = Patience(.seconds(100))
        while process.isRunning, patience.isLeft() {
            try await Task.sleep(for: .milliseconds(100))
            // Swift then goes on where it was, so that the fault comes again and ends it; what came from outside has to be sent
            // again, and not before Swift has taken its own handlers back: one of them would jump to where it should not.
            if process.errorText.contains("Backtrace took"), let id = try? pid(), !catchesFaults(id) {
                kill(id, SIGSEGV)
            }
        }
        return try await process.finish(within: .seconds(20))
    }

    /// Has handlers for faults of memory.
    private func catchesFaults(_ id: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & (1 << UInt64(SIGSEGV - 1)) != 0 } ?? false
    }

    /// The core files that it has left.
    func cores() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0 != "pid" }
    }
}
