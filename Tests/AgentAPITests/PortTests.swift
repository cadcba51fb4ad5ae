import DNSSD
import Foundation
import Glibc
import Testing

@testable import Agent
@testable import AgentAPI

/// The API at a port of this host, for whoever has the token.
@Suite(.timeLimit(.minutes(1))) struct PortTests {
    private let token: ReadToken
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-port-\(UUID().uuidString)")
        token = ReadToken(path: folder.appending(path: "agent-read.token").path)
    }

    /// A TCP socket of this host.
    private final class Socket: Sendable {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

        deinit { close(descriptor) }

        private func address(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            return address
        }

        private func call(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
            withUnsafePointer(to: address(port)) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }

        /// Listens at a port that was free.
        func listen() throws -> UInt16 {
            try #require(call(0) { bind(descriptor, $0, $1) } && Glibc.listen(descriptor, 4) == 0)
            var found = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isKnown = withUnsafeMutablePointer(to: &found) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
            }
            try #require(isKnown)
            return UInt16(bigEndian: found.sin_port)
        }

        /// Connects, and says nothing.
        func connect(to port: UInt16) throws { try #require(call(port) { Glibc.connect(descriptor, $0, $1) }) }

        /// Indicates whether the other end has closed it. Waits for that.
        func isClosed() -> Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, 0) <= 0
        }

        /// Asks, and returns all that is answered until the connection is closed.
        func ask(_ port: UInt16, _ request: String) throws -> String {
            try connect(to: port)
            let bytes = Array(request.utf8)
            try #require(send(descriptor, bytes, bytes.count, 0) == bytes.count)
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    private func ask(_ port: UInt16, _ path: String, _ fields: String...) async throws -> String {
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return try await withCheckedThrowingContinuation { continuation in
            // It blocks its thread, and the agent needs those of the tests.
            Thread.detachNewThread { continuation.resume(with: Result { try Socket().ask(port, request) }) }
        }
    }

    private func part(port: UInt16) -> AgentPart { AgentServer(agent).part(port: port, token: token) }

    private var agent: Agent {
        var configuration = AgentConfiguration(version: "9.8.7", environment: [:])
        configuration.place = AgentPlace(folder: folder.path)
        return Agent(configuration)
    }

    @Test func whoeverHasTheTokenReads() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // The port was free a moment ago.
        let port = try { try Socket().listen() }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            group.addTask { try await self.part(port: port).run(PartReporter { state.yield($0) }) }
            for await trouble in states {
                try #require(trouble == nil)
                break
            }
            defer { group.cancelAll() }
            #expect(try await ask(port, "/health/live").hasPrefix("HTTP/1.1 200"))
            #expect(try await ask(port, "/metrics").hasPrefix("HTTP/1.1 401"))
            // Without a file, no token is right.
            #expect(try await ask(port, "/metrics", "Authorization: Bearer ").hasPrefix("HTTP/1.1 401"))
            try token.make()
            let first = try text()
            let metrics = try await ask(port, "/metrics", "Authorization: Bearer \(first)")
            #expect(metrics.hasPrefix("HTTP/1.1 200") && metrics.contains("clawradar_gateways{"))
            // Another one takes its place.
            try token.make()
            #expect(try text() != first)
            #expect(try await ask(port, "/metrics", "Authorization: Bearer \(first)").hasPrefix("HTTP/1.1 401"))
            let field = "Authorization: Bearer \(try text())"
            #expect(try await ask(port, "/api/v1/gateways", field).hasPrefix("HTTP/1.1 200"))
            // What others can read is no secret.
            try #require(chmod(token.path, 0o644) == 0)
            #expect(try await ask(port, "/metrics", field).hasPrefix("HTTP/1.1 503"))
        }
    }

    /// The way of a browser: a file of the user alone leads it to the page, whose login works once, and whose token has all
    /// rights while the agent runs.
    @Test func aPageIsOpenedOnce() async throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let agent = agent
        let unused = try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            let part = AgentServer(agent).part(port: 0, token: token)
            group.addTask { try await part.run(PartReporter { state.yield($0) }) }
            for await _ in states { break }
            defer { group.cancelAll() }
            let opening = try await agent.openPage(link: "optaplus://pair?host=10.0.0.1&port=1", handsOver: true)
            let path = try #require(opening.file)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let start = "http://127.0.0.1:\(opening.port)/#login="
            #expect(opening.address.hasPrefix(start))
            // A link can hold a secret, and a browser keeps addresses.
            #expect(!opening.address.contains("10.0.0.1"))
            let html = try String(contentsOfFile: path, encoding: .utf8)
            #expect(html.contains(opening.address))
            // The page itself takes no token, and is kept apart from other pages.
            let page = try await ask(opening.port, "/")
            #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("default-src 'none'; script-src 'self'"))
            let login = opening.address.dropFirst(start.count)
            #expect(try await ask(opening.port, "/metrics", "Authorization: Bearer \(login)").hasPrefix("HTTP/1.1 401"))
            let body = Array(#"{"login": "\#(login)"}"#.utf8)
            let begun = try agent.beginPage(body)
            let token = begun.token
            #expect(begun.session.link == "optaplus://pair?host=10.0.0.1&port=1")
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try await ask(opening.port, "/metrics", "Authorization: Bearer \(token)").hasPrefix("HTTP/1.1 200"))
            #expect(throws: APIProblem.self) { try agent.beginPage(body) }
            // Whoever asks for a proof has shown nothing yet.
            let nonce = String(repeating: "0", count: 64)
            #expect(try agent.provePage(Array(#"{"nonce": "\#(nonce)"}"#.utf8)).proofs.count == 1)
            #expect(throws: APIProblem.self) { try agent.provePage(Array(#"{"nonce": "0"}"#.utf8)) }
            return try #require(try await agent.openPage(link: nil, handsOver: true).file)
        }
        // What was not used does not outlive the page.
        #expect(!FileManager.default.fileExists(atPath: unused))
    }

    /// However many connect without a token, whoever has one reads; and they do not stay.
    @Test func strangersKeepNobodyOut() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try { try Socket().listen() }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            group.addTask { try await self.part(port: port).run(PartReporter { state.yield($0) }) }
            for await trouble in states {
                try #require(trouble == nil)
                break
            }
            defer { group.cancelAll() }
            try token.make()
            let field = "Authorization: Bearer \(try text())"
            var strangers: [Socket] = []
            for _ in 0..<4 {
                for _ in 0..<100 {
                    let stranger = Socket()
                    try stranger.connect(to: port)
                    strangers.append(stranger)
                }
                // Who goes is drawn by lot, and can be the one with the token before it was read: it comes again.
                var isAnswered = false
                for _ in 0..<10 where !isAnswered {
                    isAnswered = try await ask(port, "/metrics", field).hasPrefix("HTTP/1.1 200")
                }
                #expect(isAnswered)
            }
            let (first, last) = (try #require(strangers.first), try #require(strangers.last))
            #expect(
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: first.isClosed() && last.isClosed()) }
                }
            )
        }
    }

    private func text() throws -> String {
        let mode = try FileManager.default.attributesOfItem(atPath: token.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        return try String(contentsOfFile: token.path, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func aPortThatIsTakenIsAnError() async throws {
        let other = Socket()
        let port = try other.listen()
        let part = part(port: port)
        let end = await #expect(throws: PartEnd.self) { try await part.run(PartReporter { _ in }) }
        #expect(end?.description == "127.0.0.1:\(port) is taken: another program answers there")
    }

    @Test func theTokenIsInTheFolderOfTheServiceOrOfTheUser() {
        let home = ["HOME": "/home/a"]
        #expect(ReadToken(environment: home)?.path == "/home/a/.local/state/clawradar/agent-read.token")
        let state = home.merging(["XDG_STATE_HOME": "/s"]) { $1 }
        #expect(ReadToken(environment: state)?.path == "/s/clawradar/agent-read.token")
        let service = state.merging(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]) { $1 }
        #expect(ReadToken(environment: service)?.path == "/var/lib/a/agent/agent-read.token")
        #expect(ReadToken(environment: ["HOME": "relative"]) == nil)
    }
}
