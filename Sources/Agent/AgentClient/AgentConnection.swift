internal import Glibc
internal import HostSystem
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
    ///
    /// - Parameters:
    ///   - path: The path of its socket.
    ///   - deadline: The latest time at which to return.
    init(_ path: String, until deadline: ContinuousClock.Instant) throws(AgentClientError) {
        let socket = OwnSocket(path: FilePath(path))
        let folder: FileDescriptor?
        do throws(SafeFileError) {
            folder = try socket.openFolder()
        } catch {
            let advice = error.code == .otherOwner ? ". Have XDG_RUNTIME_DIR name a folder of yours" : ""
            throw .unsafe("\(error.path): expected \(error.expected), found \(error.found)\(advice)")
        }
        guard let folder else { throw .absent }
        defer { try? folder.close() }
        descriptor = try Self.connect(socket.place(in: folder), until: deadline)
        guard Self.isOwn(descriptor) else { throw .unsafe("\(path): another user answers there") }
    }

    private static func connect(
        _ path: String,
        until deadline: ContinuousClock.Instant
    ) throws(AgentClientError) -> FileDescriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .absent }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .broken("\(Errno(rawValue: errno))") }
        let descriptor = FileDescriptor(rawValue: number)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var code: CInt
        repeat {
            // An agent that hangs has a full queue, in which a connection waits for ever.
            limitWaiting(of: number, until: deadline)
            let isConnected = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(number, $0, length) == 0 }
            }
            if isConnected { return descriptor }
            code = errno
        } while code == EINTR && deadline > .now
        try? descriptor.close()
        // A socket that nobody serves is one that a former agent has left.
        throw code == EAGAIN || code == EINTR ? .timedOut : .absent
    }

    /// Has calls that wait for room at the other end return with `EAGAIN` at a time.
    private static func limitWaiting(of socket: CInt, until deadline: ContinuousClock.Instant) {
        // None at all would be no limit.
        let left = max(.milliseconds(1), deadline - .now).components
        var time = timeval(tv_sec: Int(left.seconds), tv_usec: Int(left.attoseconds / 1_000_000_000_000))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
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
    ///
    /// - Parameter deadline: The latest time at which to return.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(AgentClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            Self.limitWaiting(of: descriptor.rawValue, until: deadline)
            let count = rest.withUnsafeBytes { bytes in
                send(descriptor.rawValue, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count < 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR where deadline > .now: continue
            case EINTR, EAGAIN: throw .timedOut
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
