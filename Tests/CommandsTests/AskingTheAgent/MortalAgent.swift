import Glibc
import HostSystem
import Synchronization
import Testing

/// A program at the socket of an agent that shows life, and gives one answer to all that it is asked.
final class MortalAgent: Sendable {
    let path: String
    private let folder: String
    private let descriptor: Int32
    private let targets = Mutex<[String]>([])

    /// The paths that it was asked for, but for that by which it shows life.
    var asked: [String] { targets.withLock(\.self) }

    /// - Parameter answer: The answer; `nil` if it closes the connection instead.
    init(_ answer: String?) throws {
        folder = "/tmp/clawradar-mortal-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        path = "\(folder)/agent.sock"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(mkdir(folder, 0o700) == 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(descriptor, 8) == 0)
        try LoopThread.start(name: "mortal agent") { [weak self, descriptor] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // Closed only here: whoever gets the number next would be answered by this thread.
                    close(descriptor)
                    return
                }
                let target = Self.target(connection)
                let isLife = target == "/health/live"
                if !isLife { self?.targets.withLock { $0.append(target) } }
                let life = "HTTP/1.1 200 OK\r\nClawradar-Version: 1\r\nContent-Length: 2\r\n\r\n{}"
                if let text = isLife ? life : answer {
                    _ = Array(text.utf8).withUnsafeBytes { bytes in
                        send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                    }
                }
                close(connection)
            }
        }
    }

    deinit {
        // The thread ends with it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
        rmdir(folder)
    }

    /// Reads a request to its end, so that closing the connection drops nothing, and returns its path.
    private static func target(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let length = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
            if parts.count == 2, parts[1].utf8.count >= length ?? 0 { break }
        }
        return text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }
}
