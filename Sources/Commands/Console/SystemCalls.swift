internal import Glibc
internal import SystemPackage

/// The system calls that swift-system does not have.
enum SystemCalls {
    /// Removes the permissions of other users from a regular file: the mode given to open(2) applies only to a new
    /// file.
    static func makePrivate(_ file: FileDescriptor) {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        _ = fchmod(file.rawValue, 0o600)
    }

    /// Makes writes to a file blocking, if it was opened nonblocking.
    static func makeBlocking(_ file: FileDescriptor) {
        let flags = fcntl(file.rawValue, F_GETFL)
        if flags >= 0 { _ = fcntl(file.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
    }

    /// The readiness of a file for reading.
    enum Readiness {
        /// Data, or the end of the file, can be read without waiting.
        case ready
        /// Reading would wait: the file is a pipe into which nothing was written yet.
        case waiting
    }

    /// Returns whether something can be read now (poll(2)).
    static func readiness(of file: FileDescriptor) -> Readiness {
        var wanted = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        // An error counts as ready, because read(2) will report it.
        return poll(&wanted, 1, 0) == 0 ? .waiting : .ready
    }
}
