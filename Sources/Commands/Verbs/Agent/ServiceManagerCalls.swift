internal import Glibc

/// A service manager, as far as a verb asks it for something.
struct ServiceManagerCalls: Hashable, Sendable {
    let manager: AgentUnit.Manager

    /// Runs `systemctl`, with its messages on standard error.
    ///
    /// - Returns: Its exit status; `nil` if there is no such program.
    func systemctl(_ arguments: String...) -> Int32? {
        Self.run(["systemctl"] + (manager == .ofUser ? ["--user"] : []) + arguments)
    }

    /// Runs a program, and waits for its end.
    ///
    /// - Returns: Its exit status, 128 if a signal has ended it; `nil` if it cannot be run.
    static func run(_ command: [String]) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // What it prints is no result of this command.
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, command[0], &actions, nil, &arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128
    }

    /// The path of this program, as a service manager can start it.
    static var program: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
