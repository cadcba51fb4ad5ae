internal import Glibc
internal import SystemPackage

/// A connection to the Unix socket of an agent, which one thread reads and waits for: without an event loop, because
/// starting one takes longer than asking.
final class AgentConnection: Sendable {
    /// `struct ucred` of unix(7), which Swift's module for the C library leaves out.
    private struct Credentials {
        var process: pid_t = 0
        var user: uid_t = .max
        var group: gid_t = 0
    }

    private let descriptor: FileDescriptor

    /// Connects to the agent of this user.
    init(_ path: String) throws(AgentClientError) {
        descriptor = try Self.connect(path)
        // In a folder that is open to others, another user could have put a socket there.
        guard Self.isOwn(descriptor) else { throw .absent }
    }

    private static func connect(_ path: String) throws(AgentClientError) -> FileDescriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .absent }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .broken("\(Errno(rawValue: errno))") }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(number, $0, length) == 0 }
        }
        let descriptor = FileDescriptor(rawValue: number)
        guard isConnected else {
            try? descriptor.close()
            // A socket that nobody serves is one that a former agent has left.
            throw .absent
        }
        return descriptor
    }

    /// Indicates whether this user is at the other end.
    private static func isOwn(_ descriptor: FileDescriptor) -> Bool {
        var peer = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        return getsockopt(descriptor.rawValue, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.user == geteuid()
    }

    deinit {
        try? descriptor.close()
    }

    /// Ends it for both ends: a thread that waits for bytes gets none.
    func end() {
        _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
    }

    /// Writes all of some bytes. No signal is sent if the other end has closed the connection: it would end this program.
    func write(_ bytes: [UInt8]) throws(AgentClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                send(descriptor.rawValue, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count < 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            // An agent that has too many connections answers without reading. What it has said can still be read.
            case EPIPE: return
            case let code: throw .broken("\(Errno(rawValue: code))")
            }
        }
    }

    /// Reads the bytes that have come; none if the other end has closed the connection.
    ///
    /// - Parameter deadline: The latest time at which to return; `nil` for none.
    func read(until deadline: ContinuousClock.Instant?) throws(AgentClientError) -> [UInt8] {
        while true {
            var wanted = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            let left = deadline.map { max(.zero, $0 - .now) }
            let time = left.map {
                Int32(clamping: $0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000 + 1)
            }
            let count = poll(&wanted, 1, time ?? -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .timedOut }
            break
        }
        do {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            return Array(buffer.prefix(count))
        } catch {
            throw .broken("\(error)")
        }
    }
}
