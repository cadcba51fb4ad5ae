import Dispatch
import Foundation
import Glibc
import Testing

@testable import HostSystem

/// Requests to a service behind a Unix socket: bounded, and only where nobody else can have put it.
@Suite(.timeLimit(.minutes(1))) struct LocalServiceTests {
    /// Asks a service that this test plays, and returns what its client makes of the answer.
    ///
    /// - Parameters:
    ///   - answer: The answer; `nil` for a service that accepts nothing and says nothing.
    ///   - mode: The mode of the folder of the socket.
    private func ask(
        answering answer: [UInt8]?,
        mode: mode_t = 0o700,
        most: Int = 64,
        within limit: Duration = .seconds(30)
    ) throws -> [UInt8]? {
        let folder = "/tmp/clawradar-\(UUID().uuidString.prefix(8))"
        try #require(mkdir(folder, 0o700) == 0 && chmod(folder, mode) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/s".utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(listener, 1) == 0)
        let isServed = DispatchGroup()
        if let answer {
            DispatchQueue.global().async(group: isServed) {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 16)
                _ = recv(connection, &request, request.count, 0)
                // It says what it was asked, and then its answer.
                let bytes = request.prefix(2) + answer
                _ = Array(bytes).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                close(connection)
            }
        }
        let found = LocalService(path: "\(folder)/s").answer(to: [1, 2], most: most, within: limit)
        // One that was not asked waits no longer.
        _ = shutdown(listener, Int32(SHUT_RDWR))
        isServed.wait()
        return found
    }

    /// The answer is what comes until the service closes the connection.
    @Test func theWholeAnswerIsRead() throws {
        #expect(try ask(answering: [3, 4]) == [1, 2, 3, 4])
    }

    /// A service that does not answer costs no more than the limit.
    @Test func silenceIsNoAnswer() throws {
        #expect(try ask(answering: nil, within: .milliseconds(20)) == nil)
    }

    @Test func anEndlessAnswerIsNone() throws {
        #expect(try ask(answering: Array(repeating: 0, count: 63)) == nil)
        #expect(try ask(answering: Array(repeating: 0, count: 62))?.count == 64)
    }

    /// Where others may put a socket of theirs in its place, nothing is asked.
    @Test(arguments: [0o770, 0o707, 0o1777] as [mode_t]) func aFolderOpenToOthersIsNotAsked(mode: mode_t) throws {
        #expect(try ask(answering: [3], mode: mode) == nil)
    }

    @Test func nobodyIsNoAnswer() {
        for path in ["/nonexistent/s", "s", "", "/s", "/tmp"] {
            #expect(LocalService(path: path).answer(to: [1], most: 8, within: .milliseconds(20)) == nil)
        }
    }
}
