import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// What is shown of gateways that answer, and say that they cannot do their work.
    @Suite struct ReadinessLabTests {
        private struct Seen: Equatable {
            let readiness: String?
            let reason: String?

            init(_ readiness: String?, _ reason: String? = nil) {
                (self.readiness, self.reason) = (readiness, reason)
            }
        }

        /// Whatever a gateway answers, only its own word makes it *not ready*; and its words are shown with their reason.
        @Test func whatAGatewaySaysOfItselfIsShown() async throws {
            let (kind, lan) = (LabHost.Kind.bare, 84)
            let folder = try ScratchFolder()
            // The gateway opens its socket only in a folder that others cannot enter.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let home = try await LabHost.add("n\(lan)g", kind, lan: lan)
            let own = try await LabHost.add("n\(lan)a", kind, lan: lan)
            let state = folder.path("gateway.json")
            let gateway = LabGateway("Deaf", on: home, isPlain: false, ["--dialect", "openclaw", "--state", state])
            try await gateway.start(port: 4_640, ["--readiness", "failing:discord,telegram"])

            func scan() async throws -> (seen: Seen, liveness: String?) {
                let result = try await Lab.run(on: own.name, Lab.clawradar, "scan", "--format", "json")
                let found = try JSONValue(parsing: Array(result.output.utf8))["gateways"]?.array ?? []
                #expect(found.count == 1, "\(result.output)")
                let seen = Seen(found.first?["readiness"]?.string, found.first?["readinessReason"]?.string)
                return (seen, found.first?["liveness"]?.string)
            }
            let failing = try await scan()
            #expect(failing.seen == Seen("notReady", "discord, telegram") && failing.liveness == "answering")
            let table = try await Lab.run(on: own.name, Lab.clawradar, "scan").output
            #expect(table.contains(" answering, not ready "), "\(table)")
            #expect(table.contains("not ready: discord, telegram"), "\(table)")

            let cases: [(String, Seen)] = [
                ("ready", Seen("ready")), ("starting", Seen("notReady", "starting")), ("forbidden", Seen(nil)),
            ]
            for (what, expected) in cases {
                let verb = [Lab.referenceGateway, "readiness", what, "--state", state]
                let played = try await Lab.run(on: home.name, verb)
                #expect(played.output == what, "\(played.errors)")
                let found = try await scan()
                #expect(found.seen == expected && found.liveness == "answering", "\(what): \(found)")
            }

            // One that watches follows it.
            let watch = try Lab.start(on: own.name, [Lab.clawradar, "watch"])
            _ = try await watch.line(within: .seconds(10), "the gateway") { $0.contains("+ Deaf") }
            try await gateway.stop(SIGKILL)
            try await gateway.start(port: 4_640, ["--readiness", "starting"])
            _ = try await watch.line(within: .seconds(30), "that it is not ready") {
                $0.contains("not ready: starting")
            }
            try await watch.stop()
            try await gateway.stop()
        }
    }
}
