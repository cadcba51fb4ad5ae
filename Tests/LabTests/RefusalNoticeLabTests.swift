import Foundation
import GatewayProtocol
import Testing

extension LabTests {
    /// A provider that was updated refuses the sessions of this device: whoever is told of that is told why, and that it is
    /// over.
    @Suite struct RefusalNoticeLabTests {
        @Test func aRefusalIsToldWithItsReasonAndItsEnd() async throws {
            let home = try await LabHost.add("refusing-home", .bare, lan: 36)
            let own = try await LabHost.add("refusing-own", .bare, lan: 36)
            let folder = try ScratchFolder.private()
            let state = ["--state", folder.path("clawline.json")]
            let options = ["--dialect", "clawline", "--approve", "auto"] + state
            let gateway = LabGateway("Claw", on: home, options)
            try await gateway.start(port: 18_800, isPublished: false)
            let run = folder.path("run")
            let device = try LabDevice(
                on: own,
                environment: ["XDG_RUNTIME_DIR=\(run)", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            try await device.pair("\(home.address):18800", ["--trust", "address", "--name", "Claw"])
            let settings = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
            let inbox = folder.path("inbox")
            try "notify:\n  sinks:\n    - name: file\n      exec: [/bin/sh, -c, 'cat >>\(inbox)']\n"
                .write(toFile: "\(settings)/config.yaml", atomically: true, encoding: .utf8)
            func told(_ what: String, _ isIt: (JSONValue) -> Bool) async throws -> JSONValue {
                var patience = Patience(.seconds(40))
                while true {
                    let text = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
                    let messages = text.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
                    if let found = messages.first(where: isIt) { return found }
                    guard patience.isLeft() else {
                        throw LabProcess.TimedOut(description: "expected \(what), found \(text)")
                    }
                    try await Task.sleep(for: patience.step)
                }
            }

            try await gateway.stop()
            try await gateway.start(port: 18_800, ["--misbehave", "other-version"], isPublished: false)
            let agent = try Lab.start(on: own.name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(run)/clawradar/agent.sock", agent)
            let refused = try await told("a refusal") { $0["kind"] == "refused" }
            let sentence = "Expected protocol 1, found protocol 2. Update required"
            #expect(refused["reason"]?.string?.hasPrefix(sentence) == true, "\(refused)")
            #expect(refused["text"]?.string?.contains(sentence) == true, "\(refused)")

            // It goes back to the former version, and the user does not wait for the next time that it is asked.
            try await gateway.stop()
            try await gateway.start(port: 18_800, isPublished: false)
            let connected = try await device.run(["connect", "Claw"])
            #expect(connected.status == 0, "\(connected)")
            // As a message of its own, or in the one that it is back, where the restart took longer than three seconds.
            _ = try await told("that it accepts this device") {
                $0["kind"] == "accepted" || $0["reason"] == "it accepts this device again"
            }
            try await agent.stop()
            try await gateway.stop()
        }
    }
}
