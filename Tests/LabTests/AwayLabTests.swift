import Foundation
import Glibc
import Testing

extension LabTests {
    /// A paired gateway that is not there, and one that is another after a change of its certificate.
    @Suite struct AwayLabTests {
        /// A stopped paired gateway is away in `watch`, as in the other views, with an agent and without.
        @Test func aStoppedGatewayIsAwayInWatch() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("away-home", .bare, lan: 88)
            let own = try await LabHost.add("away-user", .bare, lan: 88)
            let gateway = LabGateway("Home Gateway", on: home, isPlain: false)
            try await gateway.start(port: 4_670)
            let device = try LabDevice(on: own, environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))"])
            try await device.pair("Home Gateway")

            func watch(_ options: [String] = []) throws -> LabProcess {
                try Lab.start(on: own.name, device.command(["watch"] + options))
            }
            let present = try watch()
            _ = try await present.line(within: .seconds(10), "the gateway") { $0.contains("+ Home Gateway") }
            try await Scenario.letTimePass(.seconds(4))
            let shown = try await present.stop(SIGINT)
            #expect(!shown.output.contains("gone"), "\(shown.output)")

            try await gateway.stop()
            let alone = try watch(["--no-agent"])
            _ = try await alone.line(within: .seconds(12), "that it is gone") { $0.hasSuffix("gone") }
            try await alone.stop(SIGINT)

            let agent = try Lab.start(on: own.name, device.command(["agent"]))
            let asking = try watch()
            _ = try await asking.line(within: .seconds(20), "that it is gone, from the agent") { $0.hasSuffix("gone") }
            try await asking.stop(SIGINT)
            try await agent.stop(SIGTERM)
        }

        /// A gateway whose fingerprint says nothing of its certificate, and which has another one of both: once its
        /// certificate is trusted, it is one row, and connected.
        @Test func anAcceptedCertificateBringsItsFingerprint() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("renewed-home", .bare, lan: 89)
            let own = try await LabHost.add("renewed-user", .bare, lan: 89)
            let state = folder.path("state.json")
            let gateway = LabGateway("Home Gateway", on: home, isPlain: false, ["--state", state])
            try await gateway.start(port: 4_671, ["--fp", "first"])
            let device = try LabDevice(on: own)
            try await device.pair("Home Gateway")
            #expect(try await device.pairings().map(\.fingerprint) == ["first"])

            try await gateway.stop()
            let url = URL(filePath: state)
            var fields = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
            #expect(fields.removeValue(forKey: "tls") != nil)
            try JSONSerialization.data(withJSONObject: fields).write(to: url)
            try await gateway.start(port: 4_671, ["--fp", "second"])

            struct Scan: Decodable {
                struct Row: Decodable {
                    struct TLS: Decodable { let leafSha256: String }
                    let fingerprint: String?
                    let flags: [String]
                    let tls: TLS?
                    let bots: [Bot]
                }
                struct Bot: Decodable { let isPaired: Bool }
                let gateways: [Row]
            }
            func scan() async throws -> Scan {
                let result = try await device.run(["scan", "--format", "json"])
                return try JSONDecoder().decode(Scan.self, from: Data(result.output.utf8))
            }
            let before = try await scan()
            #expect(before.gateways.contains { $0.flags.contains("changed-certificate") })
            let leaf = try #require(before.gateways.compactMap(\.tls?.leafSha256).first)
            let trusted = try await device.run(["trust", "Home Gateway", "--certificate", leaf])
            #expect(trusted.status == 0 && trusted.output.contains("second"), "\(trusted.output) \(trusted.errors)")
            #expect(try await device.pairings().map(\.fingerprint) == ["second"])
            let after = try await scan()
            #expect(after.gateways.map(\.fingerprint) == ["second"])
            #expect(after.gateways.allSatisfy { $0.flags.isEmpty && $0.bots.allSatisfy(\.isPaired) })
            let sessions = try SessionWatch(of: device)
            #expect(try await sessions.settles("Home Gateway", "connected", within: .seconds(20)))
            try await sessions.process.stop(SIGINT)
            try await gateway.stop()
        }
    }
}
