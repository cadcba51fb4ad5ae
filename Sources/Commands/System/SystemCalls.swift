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

    /// Makes a folder, and the missing ones above it, with the permissions that the user gives new folders (mkdir(2)).
    static func makeFolders(_ path: FilePath) throws(Errno) {
        if path.withPlatformString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.removingLastComponent() != path else { throw Errno(rawValue: errno) }
        try makeFolders(path.removingLastComponent())
        guard path.withPlatformString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
            throw Errno(rawValue: errno)
        }
    }

    /// Removes a file (unlink(2)).
    static func remove(_ path: FilePath) throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 else { throw Errno(rawValue: errno) }
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
