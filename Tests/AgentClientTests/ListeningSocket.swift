import Glibc
import Testing

/// A Unix socket that listens, in a folder of its own, and that nobody serves by itself.
final class ListeningSocket {
    let folder: String
    let descriptor: Int32

    /// The connections that fill its queue.
    private var queued: [Int32] = []

    var path: String { "\(folder)/agent.sock" }

    init() throws {
        folder = "/tmp/clawradar-connection-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(mkdir(folder, 0o700) == 0)
        try #require(call(descriptor) { bind(descriptor, $0, $1) } && listen(descriptor, 0) == 0)
    }

    deinit {
        for descriptor in queued + [descriptor] { close(descriptor) }
        unlink(path)
        rmdir(folder)
    }

    /// Fills the queue of connections that wait to be accepted.
    func fill() throws {
        while queued.count < 16 {
            let one = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            queued.append(one)
            if !call(one, { connect(one, $0, $1) }) { return #expect(errno == EAGAIN) }
        }
        Issue.record("the queue has no end")
    }

    private func call(_ descriptor: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
