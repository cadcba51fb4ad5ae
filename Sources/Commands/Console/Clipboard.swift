internal import GatewayProtocol
internal import Glibc

/// The clipboard of this user's desktop, read once through the program that the desktop has for it.
enum Clipboard {
    /// The most bytes that are read: no link and no code is longer.
    private static let limit = 16_384

    /// The time that the program has.
    private static let time = Duration.seconds(3)

    /// The programs, the likelier one first: each prints the clipboard as it is.
    private static let programs = [
        ("WAYLAND_DISPLAY", ["wl-paste", "--no-newline", "--type", "text"]),
        ("DISPLAY", ["xclip", "-selection", "clipboard", "-out"]),
    ]

    /// Returns the text of the clipboard. It may be a secret, and is not shown.
    static func read() throws(CommandFailure) -> String {
        let wanted = programs.filter { variable, _ in
            Environment.values(of: [variable])[variable].map { !$0.isEmpty } ?? false
        }
        guard !wanted.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "no desktop is there whose clipboard could be read. Give the link, or - ."
            )
        }
        for (_, command) in wanted {
            guard let bytes = output(of: command) else { continue }
            guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
                throw CommandFailure(.unavailable, "the clipboard: expected a link or a code, found no text.")
            }
            return text
        }
        let names = wanted.map { $0.1[0] }.joined(separator: " or ")
        throw CommandFailure(
            .unavailable,
            "the clipboard could not be read: \(names) is needed for that, and was not found."
        )
    }

    /// Runs a program, and returns what it prints, within the limits; `nil` if it cannot be run or fails.
    private static func output(of command: [String]) -> [UInt8]? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        // The program gets its end as standard output alone.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let isRunning = posix_spawnp(&process, command[0], &actions, nil, &arguments, environ) == 0
        close(ends[1])
        guard isRunning else { return nil }
        let bytes = read(ends[0])
        // It has nothing left to do, or has taken too long.
        if bytes == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status == 0 ? bytes : nil
    }

    /// Reads to the end; `nil` if that takes too long, or more comes than is allowed.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + time
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        defer { buffer.wipe() }
        while bytes.count <= limit {
            let rest = Int32(max((end - .now) / .milliseconds(1), 0))
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&event, 1, rest)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return nil
    }
}
