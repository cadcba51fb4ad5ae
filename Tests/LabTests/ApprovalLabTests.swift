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
            let digits = String(try #require(refused.errors.firstMatch(of: /--leaf ([0-9a-f]{64})/)).output.1)
            let pair = ["pair", "Claw", "--yes", "--leaf", digits] + token
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
