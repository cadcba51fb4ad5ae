import Foundation
import GatewayProtocol
import Glibc
import Reports
import Testing

extension LabTests {
    /// The views of gateways that answer, and say that they cannot do their work.
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

        /// A gateway that answers and is not ready is in the history from the time at which it says so, with our words and
        /// its own, until it is ready again; and it is no outage. With `CLAWRADAR_LAB_LONG` it is not ready for longer than
        /// two minutes, and that is told, as is the end.
        @Test func aTimeOfNotBeingReadyIsInTheHistory() async throws {
            let lan = 85
            let folder = try ScratchFolder()
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let home = try await LabHost.add("n\(lan)g", .bare, lan: lan)
            let own = try await LabHost.add("n\(lan)a", .bare, lan: lan)
            let state = folder.path("gateway.json")
            let gateway = LabGateway("Deaf", on: home, isPlain: false, ["--dialect", "openclaw", "--state", state])
            try await gateway.start(port: 4_641, ["--readiness", "ready"])
            let device = try LabDevice(
                on: own,
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let config = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let inbox = folder.path("inbox")
            let content = """
                gateways: ["\(home.address):4641"]
                notify:
                  sinks:
                    - {name: file, exec: [/bin/sh, -c, 'cat >>\(inbox)']}

                """
            try content.write(toFile: "\(config)/config.yaml", atomically: true, encoding: .utf8)
            let agent = try Lab.start(on: own.name, device.command(["agent"]))

            func history() async throws -> JSONValue {
                let shown = try await device.run(["history", "--format", "json"])
                return (try? JSONValue(parsing: Array(shown.output.utf8))) ?? .null
            }
            func wait(_ what: String, _ limit: Duration, _ condition: (JSONValue) -> Bool) async throws -> JSONValue {
                var patience = Patience(limit)
                while true {
                    let found = try await history()
                    if condition(found) { return found }
                    guard patience.isLeft() else { throw LabProcess.TimedOut(description: "\(what): \(found)") }
                    try await Task.sleep(for: patience.step)
                }
            }
            func play(_ readiness: String) async throws -> Timestamp {
                let now = Timestamp.now
                let verb = [Lab.referenceGateway, "readiness", readiness, "--state", state]
                #expect(try await Lab.run(on: home.name, verb).status == 0)
                return now
            }
            func kinds() -> [String] {
                ((try? String(contentsOfFile: inbox, encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
                    (try? JSONValue(parsing: Array($0.utf8)))?["kind"]?.string
                }
            }

            _ = try await wait("a watched gateway", .seconds(60)) { $0["gateways"]?.array?.count == 1 }
            let broken = try await play("failing:discord")
            // It is asked once a minute, and counts after ten seconds.
            let began = try await wait("a time in the history", .seconds(100)) { $0["notReady"]?.array?.count == 1 }
            let first = try #require(began["notReady"]?.array?.first)
            #expect(first["reason"] == .string("these fail: discord"), "\(first)")
            #expect(first["ended"]?.string == nil, "\(first)")
            let since = try #require(first["began"]?.string.flatMap(Timestamp.init))
            #expect((broken...broken.advanced(by: .seconds(70))).contains(since), "\(since) \(broken)")
            #expect(try await device.run(["history"]).output.contains("not ready"))
            if Lab.isLong {
                var patience = Patience(.seconds(150))
                while kinds().isEmpty, patience.isLeft() { try await Task.sleep(for: patience.step) }
                #expect(kinds() == ["not-ready"])
            }

            let mended = try await play("ready")
            let over = try await wait("its end", .seconds(60)) {
                $0["notReady"]?.array?.first?["ended"]?.string != nil
            }
            let ended = try #require(over["notReady"]?.array?.first?["ended"]?.string.flatMap(Timestamp.init))
            // One that is not ready is asked every 15 seconds.
            #expect((mended...mended.advanced(by: .seconds(25))).contains(ended), "\(ended) \(mended)")
            #expect(over["notReady"]?.array?.count == 1 && over["outages"]?.array?.isEmpty == true, "\(over)")
            if Lab.isLong { #expect(kinds() == ["not-ready", "ready"]) }
            try await agent.stop()
            try await gateway.stop()
        }
    }
}
