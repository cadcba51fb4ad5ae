internal import CThreads
internal import Glibc
internal import SystemPackage

/// One run of a program that gets a text on standard input: without a shell, and bounded in time and output.
package struct ProgramRun: Sendable {
    /// The end of a run.
    package enum End: Hashable, Sendable {
        /// It has ended by itself.
        case exit(Int32)
        case signal(Int32)
        case timedOut
        /// It was ended before its time, since nobody waits for it any more.
        case stopped
        /// It does not run at all.
        case failed(String)
    }

    /// The variables of the environment that it gets: what it takes to find programs, files and the desktop.
    private static let variables = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// `MFD_CLOEXEC` of memfd_create(2).
    private static let closesOnExec: UInt32 = 1

    /// The time between two looks at whether the program has ended, and whether somebody still waits for it.
    private static let lookInterval = Duration.milliseconds(10)

    /// The time that a program still has when nobody waits for it any more: most are done by then.
    private static let timeAfterStop = Duration.seconds(1)

    private let command: [String]
    private let input: [UInt8]
    private let timeout: Duration
    private let outputLimit: Int
    private let keepsErrors: Bool

    /// - Parameters:
    ///   - command: The program, with its arguments; looked for in the path unless it has a slash.
    ///   - input: What it gets on standard input.
    ///   - timeout: The time after which it is killed, with all that it has started in its group.
    ///   - outputLimit: The maximum number of bytes of its output that are kept; what comes after is dropped.
    ///   - keepsErrors: Indicates whether what it says on standard error counts as output, too.
    package init(
        _ command: [String],
        input: [UInt8] = [],
        timeout: Duration,
        outputLimit: Int = 4_096,
        keepsErrors: Bool = true
    ) {
        self.outputLimit = outputLimit
        self.keepsErrors = keepsErrors
        self.command = command
        self.input = input
        self.timeout = timeout
    }

    /// Runs it, and waits for its end. The thread is blocked meanwhile.
    ///
    /// - Parameter isStopped: Says whether nobody waits for it any more: then it has one more second, and is not begun.
    /// - Returns: Its end, and what it has printed.
    package func run(until isStopped: () -> Bool = { false }) -> (end: End, output: [UInt8]) {
        guard !isStopped() else { return (.stopped, []) }
        do throws(Errno) {
            let file = try Self.file(input)
            defer { close(file) }
            var ends: [CInt] = [0, 0]
            guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
            defer { close(ends[0]) }
            let process: pid_t
            do throws(Errno) {
                process = try Orphans.spawning { () throws(Errno) in try spawn(input: file, output: ends[1]) }
                close(ends[1])
            } catch {
                close(ends[1])
                throw error
            }
            defer { Orphans.forget(process) }
            return follow(process, output: ends[0], isStopped)
        } catch {
            return (.failed("\(error)"), [])
        }
    }

    /// Makes a file in memory: a pipe could block, or end this process when nobody reads it.
    private static func file(_ bytes: [UInt8]) throws(Errno) -> CInt {
        let file = memfd_create("input", Self.closesOnExec)
        guard file >= 0 else { throw Errno(rawValue: errno) }
        let descriptor = FileDescriptor(rawValue: file)
        do {
            try descriptor.writeAll(bytes)
            try descriptor.seek(offset: 0, from: .start)
        } catch {
            close(file)
            throw error as? Errno ?? .ioError
        }
        return file
    }

    private func spawn(input: CInt, output: CInt) throws(Errno) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if keepsErrors {
            posix_spawn_file_actions_adddup2(&actions, output, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that all of it can be ended; and signals as a program expects them.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var environment =
            Self.variables.compactMap { name in
                getenv(name).flatMap { strdup("\(name)=\(String(cString: $0))") }
            } + [nil]
        defer { for variable in environment { free(variable) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw Errno(rawValue: code) }
        return process
    }

    /// Reads the output of a process until that has ended, or its time is over. Its own end counts, even if it leaves
    /// another one behind that has its output.
    private func follow(_ process: pid_t, output: CInt, _ isStopped: () -> Bool) -> (End, [UInt8]) {
        var deadline = ContinuousClock.now + timeout
        var wasStopped = false
        var kept: [UInt8] = []
        var isOpen = true
        while true {
            if !wasStopped, isStopped() {
                wasStopped = true
                deadline = min(deadline, .now + Self.timeAfterStop)
            }
            let left = deadline - .now
            guard left > .zero else { break }
            if isOpen { isOpen = take(output, into: &kept, within: min(left, Self.lookInterval)) }
            if let end = Self.end(of: process, WNOHANG) {
                // What it has printed before is there already, and is bounded as a pipe is.
                while isOpen, kept.count < outputLimit, take(output, into: &kept, within: .zero) {}
                return (end, kept)
            }
            if !isOpen { poll(nil, 0, Self.milliseconds(min(left, Self.lookInterval))) }
        }
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        // One that the kernel holds in a call ends later, and nobody waits for it.
        let last = ContinuousClock.now + Self.timeAfterStop
        while Self.end(of: process, WNOHANG) == nil, .now < last { poll(nil, 0, Self.milliseconds(Self.lookInterval)) }
        return (wasStopped ? .stopped : .timedOut, kept)
    }

    /// Reads what a process has printed, within a time, and keeps it as far as the limit allows.
    ///
    /// - Returns: Whether more may come within that time.
    private func take(_ output: CInt, into kept: inout [UInt8], within time: Duration) -> Bool {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Self.milliseconds(time)) > 0 else { return time > .zero }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        kept += buffer[..<count].prefix(max(0, outputLimit - kept.count))
        return true
    }

    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(min(time / .milliseconds(1), 60_000).rounded(.up))
    }

    private static func end(of process: pid_t, _ options: Int32) -> End? {
        var status: Int32 = 0
        while true {
            let found = waitpid(process, &status, options)
            if found == process { break }
            if found < 0, errno == EINTR { continue }
            return found == 0 ? nil : .failed("its end is not known: \(Errno(rawValue: errno))")
        }
        return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }
}
