internal import Console
internal import Glibc
internal import SystemPackage

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

    /// The path by which this program was called, as a service manager can start it: a link in place of what it leads to
    /// today, so that the next version is started once the link leads to that.
    static var called: String? {
        guard let program else { return nil }
        let environment = Environment.values(of: ["PATH"])
        return path(
            of: CommandLine.arguments.first ?? "",
            in: environment["PATH"],
            folder: resolved(".") ?? "/",
            is: { resolved($0) == program }
        ) ?? program
    }

    /// Returns the path that is meant by the name of a program; `nil` if none is.
    ///
    /// - Parameters:
    ///   - name: The name as called.
    ///   - list: The folders in which programs are, as `PATH` names them.
    ///   - folder: The working folder.
    ///   - isIt: Indicates whether a path leads to the program.
    static func path(of name: String, in list: String?, folder: String, is isIt: (String) -> Bool) -> String? {
        let base = FilePath(folder)
        let places =
            name.contains("/")
            ? [base.pushing(FilePath(name))]
            : (list ?? "").split(separator: ":").map { base.pushing(FilePath(String($0))).appending(name) }
        // Without `.` and `..`, which a unit must not have; a path that leads elsewhere without them is none.
        return name.isEmpty ? nil : places.map { $0.lexicallyNormalized().string }.first(where: isIt)
    }

    /// The path of this program itself, without links.
    static var program: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// realpath(3): the path without links; `nil` if there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
