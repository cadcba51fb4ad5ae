internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The processes that programs leave behind when they end. They become children of the first process of a container, which has
/// to take note of their ends, or they stay in the table of processes for ever.
package enum Orphans {
    /// The time between two looks for processes that have ended.
    private static let interval = Duration.seconds(5)

    /// The processes that somebody waits for.
    private static let awaited = Mutex<Set<pid_t>>([])

    /// Indicates whether they become children of this process.
    package static var areOurs: Bool { getpid() == 1 }

    /// Takes note of their ends, until the task is cancelled.
    package static func reap() async throws {
        while true {
            while reapOne() {}
            try await Task.sleep(for: interval)
        }
    }

    /// Takes note of the end of one that nobody waits for.
    ///
    /// - Returns: `false` if there is none.
    private static func reapOne() -> Bool {
        // Held, so that nobody begins to wait for it meanwhile.
        awaited.withLock { awaited in
            var found = siginfo_t()
            guard waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) == 0 else { return false }
            let process = found._sifields._sigchld.si_pid
            guard process > 0, !awaited.contains(process) else { return false }
            return waitpid(process, nil, WNOHANG) == process
        }
    }

    /// Starts a process that somebody waits for.
    static func spawning(_ start: () throws(Errno) -> pid_t) throws(Errno) -> pid_t {
        try awaited.withLock { awaited throws(Errno) in
            let process = try start()
            awaited.insert(process)
            return process
        }
    }

    /// Takes in that nobody waits for a process any more.
    static func forget(_ process: pid_t) { awaited.withLock { _ = $0.remove(process) } }
}
