import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// The messages of an agent to a web server with a certificate of its own authority.
    @Suite struct WebhookDeliveryLabTests {
        /// An agent, and a web server on a third host.
        private struct Stage {
            let notices: NoticeStage
            private let host: LabHost
            private let certificate: String

            init(_ name: String, lan: Int) async throws {
                notices = try await NoticeStage(.bare, lan: lan, name: name, port: 4_670)
                host = try await LabHost.add("\(name)w", .bare, lan: lan)
                let folder = notices.folder.path("certificates")
                let certify = try LabProcess([Lab.tool("certify"), folder, host.address])
                let made = try await certify.finish(within: .seconds(20))
                try #require(made.status == 0, "\(made.errors)")
                certificate = "\(folder)/\(host.address).pem"
                let url = "https://\(host.address):4671/hook"
                try notices.configure(["name: hook", "webhook: \(url)", "ca-file: \(folder)/authority.pem"])
            }

            /// Starts the server, which answers the first requests in these ways, and all others by 200.
            func startServer(_ modes: [String] = []) async throws -> LabProcess {
                let server = try Lab.start(on: host.name, [Lab.tool("webhook-server"), "4671", certificate] + modes)
                _ = try await server.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
                return server
            }
        }

        /// A request to the server: how it was answered, and the message in it.
        private struct Request: Hashable {
            let mode: String
            let kind: String
            let id: String

            init?(_ line: String) {
                let parts = line.split(separator: " ", maxSplits: 3)
                guard parts.count == 4, let message = try? JSONValue(parsing: Array(parts[3].utf8)),
                    let kind = message["kind"]?.string, let id = message["id"]?.string
                else { return nil }
                (mode, self.kind, self.id) = (String(parts[0]), kind, id)
            }

            static func all(_ servers: [LabProcess]) -> [Request] {
                servers.flatMap { $0.lines.compactMap { Request($0.text) } }
            }
        }

        private static func waitFor(_ kinds: [String], at servers: [LabProcess]) async throws -> [Request] {
            var patience = Patience(.seconds(60))
            while true {
                let requests = Request.all(servers)
                if requests.filter({ $0.mode == "200" }).map(\.kind) == kinds { return requests }
                guard patience.isLeft() else { throw LabProcess.TimedOut(description: "\(kinds), not \(requests)") }
                try await Task.sleep(for: patience.step)
            }
        }

        /// Errors, closed connections, and a server that is not there: each message is taken once, and in their order.
        @Test func whateverTheServerDoesEachMessageIsTakenOnce() async throws {
            let stage = try await Stage("n29", lan: 29)
            let first = try await stage.startServer(["500", "429", "close"])
            let agent = try await stage.notices.startAgent()
            try await stage.notices.gateway.stop(SIGKILL)
            let gone = try await Self.waitFor(["gone"], at: [first])
            #expect(gone.map(\.mode) == ["500", "429", "close", "200"])
            #expect(Set(gone.map(\.id)).count == 1)

            // Without a server, a message waits, and the status says so.
            try await first.stop(SIGKILL)
            try await stage.notices.gateway.start(port: stage.notices.port)
            try await stage.notices.wait("a message that waits") {
                try await $0.run(["agent", "status"]).output.contains("hook")
            }
            let second = try await stage.startServer(["close"])
            let all = try await Self.waitFor(["gone", "back"], at: [first, second])
            #expect(Set(all.map(\.id)).count == 2, "\(all)")
            try await agent.stop()
            try await second.stop(SIGKILL)
            try await stage.notices.gateway.stop()
        }

        /// The agent is killed after it has sent a message and before it has noted that: it comes once more, with the same
        /// number, and before the next one.
        @Test func whatWasNotNotedIsSentOnceMoreWithItsNumber() async throws {
            let stage = try await Stage("n33", lan: 33)
            let server = try await stage.startServer(["silent"])
            let agent = try await stage.notices.startAgent()
            try await stage.notices.gateway.stop(SIGKILL)
            _ = try await server.line(within: .seconds(20), "the message") { $0.hasPrefix("silent ") }
            try await agent.stop(SIGKILL)
            let again = try await stage.notices.startAgent(isConnected: false)
            _ = try await Self.waitFor(["gone"], at: [server])
            try await stage.notices.gateway.start(port: stage.notices.port)
            let requests = try await Self.waitFor(["gone", "back"], at: [server])
            #expect(requests.map(\.mode) == ["silent", "200", "200"])
            #expect(requests[0].id == requests[1].id && requests[1].id != requests[2].id, "\(requests)")
            try await again.stop()
            try await server.stop(SIGKILL)
            try await stage.notices.gateway.stop()
        }
    }
}
