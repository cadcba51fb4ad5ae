import Foundation
import Glibc
import Testing

extension LabTests {
    /// Messages to a web server on h2: what `notify test` on h1 shows for each of its answers.
    @Suite struct WebhookLabTests {
        private let folder: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
        }

        /// Runs `notify test` with one webhook.
        private func test(_ settings: [String]) async throws -> LabProcess.Result {
            let config = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let content = "notify:\n  sinks:\n    - \((["name: hook"] + settings).joined(separator: "\n      "))\n"
            try content.write(toFile: "\(config)/config.yaml", atomically: true, encoding: .utf8)
            let environment = ["env", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            return try await Lab.run(on: "h1", environment + [Lab.clawradar, "notify", "test"])
        }

        private func server(_ port: Int, _ certificate: String = "-", _ modes: [String] = []) async throws -> LabProcess
        {
            let server = try Lab.start(on: "h2", [Lab.tool("webhook-server"), "\(port)", certificate] + modes)
            _ = try await server.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
            return server
        }

        /// Writes a file that its owner alone can read.
        private func secret(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
            let path = folder.path(name)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }

        @Test func eachAnswerIsShown() async throws {
            let modes = ["204", "500", "429", "400", "redirect", "close", "silent"]
            let server = try await server(4_630, "-", modes)
            let url = "http://\(try await Lab.address("h2")):4630/hook"
            let expected = [
                "taken: it answers with 204", "not taken: it answers with 500", "not taken: it answers with 429",
                "not taken: it answers with 400", "A redirect is not followed", "not taken: the connection was closed",
                "not taken: no answer within 15 s",
            ]
            for (mode, words) in zip(modes, expected) {
                let result = try await test(["webhook: \"\(url)\""])
                #expect(result.output.contains(words), "\(mode): \(result.output) \(result.errors)")
                #expect(result.status == (mode == "204" ? 0 : 1))
                print("webhook: \(mode) → \(result.output)")
            }
            // Each request came once, and none to where the redirect leads.
            #expect(server.lines.count == modes.count + 1)
            #expect(!server.lines.contains { $0.text.contains("elsewhere") })
            try await server.stop(SIGKILL)
            let absent = try await test(["webhook: \"\(url)\""])
            #expect(absent.status == 1 && absent.output.contains("not taken: no connection: "), "\(absent.output)")
        }

        /// A token goes to a server alone that has a trusted certificate.
        @Test func aServerProvesItselfBeforeItGetsAToken() async throws {
            let address = try await Lab.address("h2")
            let made = try await LabProcess([Lab.tool("certify"), folder.path("certificates"), address])
                .finish(within: .seconds(20))
            try #require(made.status == 0, "\(made.errors)")
            let server = try await server(4_631, folder.path("certificates/\(address).pem"))
            let url = try secret("url", "https://\(address):4631/topic\n")
            let token = try secret("token", "swordfish\n")
            let settings = ["webhook-file: \(url)", "form: ntfy", "token-file: \(token)"]

            let stranger = try await test(settings)
            #expect(
                stranger.status == 1 && stranger.output.contains("its certificate is not trusted"),
                "\(stranger.output)"
            )
            let trusted = settings + ["ca-file: \(folder.path("certificates/authority.pem"))"]
            let taken = try await test(trusted)
            #expect(taken.status == 0, "\(taken.output) \(taken.errors)")
            // It is answered before the server has said what came.
            _ = try await server.line(within: .seconds(5), "the request") { $0.hasPrefix("200 ") }
            let lines = server.lines.map(\.text).filter { $0 != "ready" }
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("200 / Bearer swordfish ") == true, "\(lines)")
            #expect(lines.first?.contains("\"topic\":\"topic\"") == true, "\(lines)")

            // A file that others can write to is no secret of ours.
            _ = try secret("token", "swordfish\n", mode: 0o666)
            let open = try await test(trusted)
            #expect(open.status == 1 && server.lines.count == 2, "\(open.output)")
            try await server.stop(SIGKILL)
        }
    }
}
