import Foundation
import Testing

extension LabTests.ClawlineLabTests {
    /// A Clawline provider whose first device, which its operator approved, lets others in, each on a host of its own.
    private struct Stage {
        struct Waiting: Decodable {
            struct Request: Decodable {
                let id: String
                let name: String
                let requestedAt: String
            }
            let requests: [Request]
        }

        let gateway: LabGateway
        let admin: LabDevice
        let person: LabOperator
        let folder: ScratchFolder

        /// The arguments with which a device pairs.
        let pair: [String]

        init(_ hosts: [LabHost]) async throws {
            folder = try ScratchFolder()
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let state = ["--state", folder.path("clawline.json")]
            gateway = LabGateway("Claw", on: hosts[0], ["--dialect", "clawline"] + state)
            try await gateway.start(port: 18_800, isPublished: false)
            person = LabOperator(host: hosts[0], state: state)
            pair = ["pair", "\(hosts[0].address):18800", "--yes", "--trust", "address", "--name", "Claw"]
            admin = try LabDevice(
                on: hosts[1],
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let pairing = try Lab.start(on: hosts[1].name, admin.command(pair))
            let id = try await Self.request(shownBy: pairing)
            try await person.decide("approve", id)
            try #require(try await pairing.finish(within: .seconds(20)).status == 0)
        }

        /// Starts the agent of the admin, and waits until it has the session.
        func startAgent() async throws -> LabProcess {
            let agent = try Lab.start(on: admin.host.name, admin.command(["agent"]))
            try await LabTests.AgentLabTests.waitForSocket(folder.path("run/clawradar/agent.sock"), agent)
            return agent
        }

        /// Begins to pair a device that waits then.
        ///
        /// - Returns: The process, and the identifier that it shows.
        func begin(on host: LabHost) async throws -> (process: LabProcess, id: String) {
            let process = try Lab.start(on: host.name, try LabDevice(on: host).command(pair))
            return (process, try await Self.request(shownBy: process))
        }

        /// The devices that wait, as a device lists them.
        func waiting(_ device: LabDevice) async throws -> [Waiting.Request] {
            let listed = try await device.run(["approvals", "Claw", "--format", "json"])
            try #require(listed.status == 0, "\(listed.errors)")
            return try JSONDecoder().decode(Waiting.self, from: Data(listed.output.utf8)).requests
        }

        /// Decides about a device that waits, and checks what it says then, and how soon.
        func decide(_ verb: String, _ waiting: (process: LabProcess, id: String)) async throws {
            let decided = try await admin.run([verb, waiting.id])
            let start = ContinuousClock.now
            #expect(decided.status == 0, "\(decided.errors)")
            let isApproved = verb == "approve"
            #expect(decided.output.hasPrefix(isApproved ? "approved: " : "rejected: "), "\(decided.output)")
            let end = try await waiting.process.finish(within: .seconds(20))
            let time = ContinuousClock.now - start
            print("clawline: \(verb) took effect \(time) after it was said")
            #expect(decided.output.contains(", in the account user_") == isApproved, "\(decided.output)")
            #expect((end.status == 0) == isApproved && time <= .seconds(2), "\(end.errors)")
            if !isApproved { #expect(end.errors.contains("that it was denied"), "\(end.errors)") }
        }

        /// Returns the identifier that a device shows while it waits.
        private static func request(shownBy process: LabProcess) async throws -> String {
            let isShown = await InProcess.wait(within: .seconds(20)) {
                process.errorText.contains("waiting for approval: ") && process.errorText.hasSuffix("\n")
            }
            try #require(isShown, "\(process.errorText)")
            return String(
                try #require(process.errorText.firstMatch(of: /clawradar approve ([0-9a-f-]{36})/)).output.1
            )
        }
    }

    /// Through the agent, which has the only session of the admin: it goes on meanwhile.
    @Test func anAgentsAdminLetsAnotherDeviceIn() async throws {
        let hosts = try await LabHost.add(
            ["provider", "admin", "newcomer", "other"].map { ("claw-agent-\($0)", .bare, 1) },
            lan: 21
        )
        let stage = try await Stage(hosts)
        let before = try await stage.begin(on: hosts[2])
        let agent = try await stage.startAgent()
        let watch = try Lab.start(on: hosts[1].name, stage.admin.command(["watch", "--format", "ndjson"]))
        let connect = try Lab.start(on: hosts[1].name, stage.admin.command(["connect", "--format", "table"]))
        _ = try await connect.line(within: .seconds(20), "waits") { $0.contains("clawradar approve \(before.id)") }
        let after = try await stage.begin(on: hosts[3])
        for process in [connect, watch] {
            _ = try await process.line(within: .seconds(5), "waits") {
                $0.contains("clawradar approve \(after.id)")
            }
        }
        let listed = try await stage.waiting(stage.admin)
        #expect(listed.map(\.id) == [before.id, after.id] && listed.allSatisfy { !$0.name.isEmpty })
        let table = try await stage.admin.run(["approvals"])
        #expect(table.output.contains(after.id) && table.output.contains(" s "), "\(table.output)")
        #expect(table.errors.contains("to decide later, do nothing"), "\(table.errors)")
        try await stage.decide("approve", before)
        _ = try await watch.line(within: .seconds(5), "over") { $0.contains(before.id) && $0.contains(#""over""#) }
        try await stage.decide("reject", after)
        #expect(try await stage.waiting(stage.admin).isEmpty)
        for process in [watch, connect, agent] { try await process.stop() }
        let log = try #require(try await stage.gateway.stop())
        let text = log.output + log.errors
        #expect(text.ranges(of: "connects as device").count == 1 && !text.contains("unknown device"), "\(text)")
        #expect(text.contains("was approved by an admin") && text.contains("was denied by an admin"))
    }

    /// Without an agent the command opens the session, for as long as it runs. One that another process has stays its own,
    /// and a device that is no admin hears of nobody.
    @Test func anAdminWithoutAnAgentLetsAnotherDeviceIn() async throws {
        let hosts = try await LabHost.add(
            ["provider", "admin", "newcomer", "other"].map { ("claw-alone-\($0)", .bare, 1) },
            lan: 22
        )
        let stage = try await Stage(hosts)
        let member = try LabDevice(on: hosts[2])
        let pairing = try Lab.start(on: hosts[2].name, member.command(stage.pair))
        let isShown = await InProcess.wait(within: .seconds(20)) { pairing.errorText.contains("clawradar approve") }
        try #require(isShown, "\(pairing.errorText)")
        let first = try #require(try await stage.waiting(stage.admin).first)
        let approved = try await stage.admin.run(["approve", first.id, "--user", "new"])
        #expect(approved.status == 0 && approved.output.contains(", in the account user_"), "\(approved)")
        #expect(try await pairing.finish(within: .seconds(20)).status == 0)

        let second = try await stage.begin(on: hosts[3])
        let told = try await member.run(["approvals", "Claw"])
        #expect(told.status == 1 && told.errors.contains("only the first device that is paired"), "\(told.errors)")
        let unnamed = try await member.run(["approvals"])
        #expect(unnamed.status == 1 && unnamed.errors.contains("admin at no gateway"), "\(unnamed.errors)")
        try await stage.decide("reject", second)

        let watch = try SessionWatch(of: stage.admin)
        _ = try await watch.next("Claw", "connected", within: .seconds(70))
        let held = try await stage.admin.run(["approvals", "Claw"])
        #expect(held.status == 1 && held.errors.contains("(process "), "\(held.errors)")
        #expect(held.errors.contains("end that, or let `clawradar agent` have it"), "\(held.errors)")
        try await watch.stop()
        let log = try #require(try await stage.gateway.stop())
        #expect(!(log.output + log.errors).contains("TOO OFTEN"))
    }
}
