import Foundation
import Testing

extension LabTests {
    /// A device that is an admin of an OpenClaw gateway lets another device in, on another host.
    @Suite struct ApprovalLabTests {
        private struct Waiting: Decodable {
            struct Request: Decodable {
                let id: String
                let scopes: [String]
                let lacking: [String]
            }
            let requests: [Request]
        }

        /// The device that waits is connected within two seconds after it was approved, while the admin's own session goes
        /// on.
        @Test func anAdminLetsAnotherDeviceIn() async throws {
            let hosts = try await LabHost.add(
                ["gateway", "admin", "newcomer"].map { ("approval-\($0)", .bare, 1) },
                lan: 38
            )
            let folder = try ScratchFolder()
            // The gateway opens its socket only in a folder that others cannot enter.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let state = ["--state", folder.path("claw.json")]
            let token = ["--token-file", try SecretFile(folder.path("token")).path]
            let gateway = LabGateway(
                "Claw",
                on: hosts[0],
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "ask"] + token + state
            )
            try await gateway.start(port: 18_789)
            let (admin, newcomer) = (try LabDevice(on: hosts[1]), try LabDevice(on: hosts[2]))

            // The refusal says the digits of the certificate without which no secret is sent unseen.
            let refused = try await admin.run(["pair", "Claw", "--yes"] + token)
            let digits = String(try #require(refused.errors.firstMatch(of: /--certificate ([0-9a-f]{64})/)).output.1)
            let pair = ["pair", "Claw", "--yes", "--certificate", digits] + token
            let becoming = try Lab.start(on: hosts[1].name, admin.command(pair + ["--as-admin"]))
            let id = try await Self.request(shownBy: becoming)
            let approval = try await Lab.run(on: hosts[0].name, [Lab.referenceGateway, "approve", id] + state)
            try #require(approval.status == 0, "\(approval.errors)")
            try #require(try await becoming.finish(within: .seconds(20)).status == 0)
            let watch = try SessionWatch(of: admin)
            _ = try await watch.next("Claw", "connected", within: .seconds(10))

            let pairing = try Lab.start(on: hosts[2].name, newcomer.command(pair))
            let asked = try await Self.request(shownBy: pairing)
            let listed = try await admin.run(["approvals", "--format", "json"])
            let requests = try JSONDecoder().decode(Waiting.self, from: Data(listed.output.utf8)).requests
            #expect(requests.map(\.id) == [asked] && requests.first?.scopes == ["operator.read"])
            #expect(requests.first?.lacking == [])
            let approved = try await admin.run(["approve", String(asked.prefix(8))])
            let start = ContinuousClock.now
            #expect(approved.status == 0 && approved.output.hasPrefix("approved: "), "\(approved.errors)")
            try #require(try await pairing.finish(within: .seconds(20)).status == 0)
            let time = ContinuousClock.now - start
            print("paired \(time) after it was approved")
            #expect(time <= .seconds(2))
            try await watch.stop()
            try await gateway.stop()
        }

        /// Gateways that do not answer are asked side by side: together they take the time of one, and the others are shown.
        @Test func silentGatewaysTakeTheTimeOfOne() async throws {
            let hosts = try await LabHost.add(
                ["attic", "bath", "cellar", "admin"].map { ("silent-\($0)", .bare, 1) },
                lan: 13
            )
            let folder = try ScratchFolder()
            let token = ["--token-file", try SecretFile(folder.path("token")).path]
            let admin = try LabDevice(on: hosts[3])
            var gateways: [LabGateway] = []
            for (name, host) in zip(["Attic", "Bath", "Cellar"], hosts) {
                let options = ["--dialect", "openclaw", "--approve", "auto"] + token
                let gateway = LabGateway(name, on: host, isPlain: false, options)
                try await gateway.start(port: 18_789)
                try await admin.pair(name, token + ["--as-admin"])
                gateways.append(gateway)
            }
            for host in hosts[..<2] { try await host.ip("link set eth0 down") }
            let listed = try await admin.run(["approvals", "--timeout", "6"])
            print("with two silent gateways of three: \(listed.elapsed)")
            #expect(listed.elapsed < .seconds(10), "\(listed)")
            for name in ["Attic", "Bath"] { #expect(listed.errors.contains(name), "\(listed.errors)") }
            #expect(!listed.errors.contains("Cellar"), "\(listed.errors)")
            for gateway in gateways { try await gateway.stop() }
        }

        /// A device that waits is told of by a message, by `connect` and by `watch`, with the command that approves it; and
        /// all of them say when it was approved. One that waited before the agent began to look is told of, too.
        @Test func oneThatWaitsIsToldOf() async throws {
            let hosts = try await LabHost.add(
                ["gateway", "admin", "newcomer", "other"].map { ("told-\($0)", .bare, 1) },
                lan: 77
            )
            let folder = try ScratchFolder()
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let state = ["--state", folder.path("claw.json")]
            let token = ["--token-file", try SecretFile(folder.path("token")).path]
            let gateway = LabGateway(
                "Claw",
                on: hosts[0],
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "ask"] + token + state
            )
            try await gateway.start(port: 18_789)
            let configuration = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
            let inbox = folder.path("inbox")
            let sink = "- name: file\n      exec: [/bin/sh, -c, 'cat >>\(inbox)']"
            try "notify:\n  sinks:\n    \(sink)\n"
                .write(toFile: "\(configuration)/config.yaml", atomically: true, encoding: .utf8)
            let run = folder.path("run")
            let admin = try LabDevice(
                on: hosts[1],
                environment: ["XDG_RUNTIME_DIR=\(run)", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let refused = try await admin.run(["pair", "Claw", "--yes"] + token)
            let digits = String(try #require(refused.errors.firstMatch(of: /--certificate ([0-9a-f]{64})/)).output.1)
            let pair = ["pair", "Claw", "--yes", "--certificate", digits] + token
            let becoming = try Lab.start(on: hosts[1].name, admin.command(pair + ["--as-admin"]))
            let own = try await Self.request(shownBy: becoming)
            let approval = try await Lab.run(on: hosts[0].name, [Lab.referenceGateway, "approve", own] + state)
            try #require(approval.status == 0, "\(approval.errors)")
            try #require(try await becoming.finish(within: .seconds(20)).status == 0)

            let first = try Lab.start(on: hosts[2].name, LabDevice(on: hosts[2]).command(pair))
            let before = try await Self.request(shownBy: first)
            let agent = try Lab.start(on: hosts[1].name, admin.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(run)/clawradar/agent.sock", agent)
            let connect = try Lab.start(on: hosts[1].name, admin.command(["connect", "--format", "table"]))
            let watch = try Lab.start(on: hosts[1].name, admin.command(["watch", "--format", "ndjson"]))
            _ = try await connect.line(within: .seconds(20), "waits") { $0.contains("clawradar approve \(before)") }
            let second = try Lab.start(on: hosts[3].name, LabDevice(on: hosts[3]).command(pair))
            let asked = try await Self.request(shownBy: second)
            _ = try await connect.line(within: .seconds(5), "waits") { line in
                line.contains("waits for approval") && line.contains("operator.read")
                    && line.contains("clawradar approve \(asked)")
            }
            _ = try await watch.line(within: .seconds(5), "waits") { line in
                line.contains(#""event":"approval""#) && line.contains(#""state":"waits""#) && line.contains(asked)
            }
            let isTold = await InProcess.wait(within: .seconds(20)) {
                let text = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
                return [before, asked].allSatisfy { text.contains("clawradar approve \($0)") }
            }
            let messages = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
            #expect(isTold && messages.contains(#""kind":"approval""#), "\(messages)")
            for (id, process) in [(before, first), (asked, second)] {
                let approved = try await admin.run(["approve", id])
                #expect(approved.status == 0, "\(approved.errors)")
                _ = try await watch.line(within: .seconds(5), "over") { line in
                    line.contains(#""state":"over""#) && line.contains(id)
                }
                try #require(try await process.finish(within: .seconds(20)).status == 0)
            }
            _ = try await connect.line(within: .seconds(5), "over") { $0.contains("waits no more for approval") }
            // Nothing more is told of what is resolved.
            let told = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
            #expect(told == messages)
            for process in [connect, watch, agent] { try await process.stop() }
            try await gateway.stop()
        }

        /// Returns the identifier of the request that a device shows while it waits.
        private static func request(shownBy process: LabProcess) async throws -> String {
            let isShown = await InProcess.wait(within: .seconds(20)) {
                process.errorText.contains("waiting for approval: ") && process.errorText.hasSuffix("\n")
            }
            try #require(isShown, "\(process.errorText)")
            return String(try #require(process.errorText.firstMatch(of: /approve ([0-9a-f-]{36})/)).output.1)
        }
    }
}
