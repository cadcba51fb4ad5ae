internal import Glibc

/// A service of this host behind a Unix socket, which is asked only where the system or this user runs it.
package struct LocalService: Sendable {
    /// `struct ucred` of unix(7), which Swift's module for the C library leaves out.
    private struct Credentials {
        var process: pid_t = 0
        var user: uid_t = .max
        var group: gid_t = 0
    }

    /// The path of the socket.
    private let path: String

    /// Creates the service behind the socket with a path, of which nothing is opened yet.
    package init(path: String) {
        self.path = path
    }

    /// Sends a request and reads until the other end closes the connection. This blocks: it is for a thread that may wait.
    ///
    /// - Parameters:
    ///   - request: The request, which is short.
    ///   - most: The maximum number of bytes of the answer.
    ///   - limit: The maximum time for all of it.
    /// - Returns: The whole answer; `nil` if there is none in time, if it is longer, if others may replace the socket, or if
    ///   another user answers there, who gets nothing.
    package func answer(to request: [UInt8], most: Int, within limit: Duration) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        guard isKeptFromOthers, let descriptor = connected() else { return nil }
        defer { close(descriptor) }
        guard isTrusted(descriptor) else { return nil }
        // A request of a few hundred bytes fits into the buffer of a new connection.
        let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == request.count else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while waits(for: descriptor, until: deadline) {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return count == 0 ? answer : nil }
            answer += buffer[..<count]
            guard answer.count <= most else { return nil }
        }
        return nil
    }

    /// Indicates whether nobody but the system and this user can put another socket in its place.
    private var isKeptFromOthers: Bool {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return false }
        var folder = stat()
        guard stat(String(path[..<slash]), &folder) == 0 else { return false }
        return Self.isTrusted(folder.st_uid) && folder.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    private static func isTrusted(_ user: uid_t) -> Bool { user == 0 || user == geteuid() }

    /// Indicates whether it was the system or this user that opened the socket for others.
    private func isTrusted(_ descriptor: CInt) -> Bool {
        var peer = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && Self.isTrusted(peer.user)
    }

    /// Returns a connection that never blocks; `nil` where nobody serves the socket, or too many wait for that.
    private func connected() -> CInt? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Waits until there is something to read; returns `false` when the time is up.
    private func waits(for descriptor: CInt, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (deadline - .now).components
            let time = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            guard time > 0 else { return false }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&wanted, 1, Int32(clamping: time))
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }
}
