internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The system calls that swift-system does not have.
enum SystemCalls {
    /// Takes the permissions of others off a regular file: the mode given to open(2) is for a file that was not there.
    static func makePrivate(_ file: FileDescriptor) {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        _ = fchmod(file.rawValue, 0o600)
    }

    /// Has writes wait for room from now on, where a file was opened without waiting.
    static func makeBlocking(_ file: FileDescriptor) {
        let flags = fcntl(file.rawValue, F_GETFL)
        if flags >= 0 { _ = fcntl(file.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
    }

    /// The state of what can be read without waiting.
    enum Readiness {
        /// Something can be read, or the end.
        case ready
        /// Nothing yet: a pipe into which nobody has written.
        case waiting
    }

    /// Returns whether something can be read now (poll(2)).
    static func readiness(of file: FileDescriptor) -> Readiness {
        var wanted = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        // Trouble is told by read(2).
        return poll(&wanted, 1, 0) == 0 ? .waiting : .ready
    }
}
