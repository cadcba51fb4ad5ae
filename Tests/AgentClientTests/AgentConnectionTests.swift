import Glibc
import Testing

@testable import AgentClient

/// The connection to an agent.
@Suite struct AgentConnectionTests {
    /// An agent that has too many connections answers before it is asked, and closes. Its answer is read nevertheless.
    @Test func anAnswerThatComesBeforeTheRequestIsRead() throws {
        let path = "/tmp/clawradar-connection-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(listener)
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(listener, 4) == 0)

        let connection = try AgentConnection(path)
        let accepted = accept(listener, nil, nil)
        let answer = Array("HTTP/1.1 503 Service Unavailable\r\n\r\n".utf8)
        try #require(write(accepted, answer, answer.count) == answer.count)
        close(accepted)
        try connection.write(AgentClient.request("GET", "/health/live", [:], []))
        #expect(try connection.read(until: .now + .seconds(5)) == answer)
        #expect(try connection.read(until: .now + .seconds(5)).isEmpty)
    }
}
