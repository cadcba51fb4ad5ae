import Foundation
import GatewayProtocol
import Testing

extension LabTests {
    /// The name that a user gives to a gateway.
    @Suite struct AliasLabTests {
        /// The name is shown by verbs with and without an agent, which takes it over while it runs; and what claims to be the
        /// gateway does not get it.
        @Test func aNameStaysWithItsGateway() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("n86g", .bare, lan: 86)
            let own = try await LabHost.add("n86a", .bare, lan: 86)
            let other = try await LabHost.add("n86b", .bare, lan: 86)
            let state = ["--state", folder.path("gateway.json")]
            let gateway = LabGateway("Home Gateway", on: home, isPlain: false, state)
            try await gateway.start(port: 4_650)
            let device = try LabDevice(on: own, environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))"])
            let given = try await device.run(["alias", "Home Gateway", "Attic"])
            #expect(given.status == 0, "\(given.output) \(given.errors)")
            func names() async throws -> [String] {
                let found = try await device.run(["scan", "--format", "json"]).output
                return (try JSONValue(parsing: Array(found.utf8))["gateways"]?.array ?? [])
                    .compactMap { $0["name"]?.string }.sorted()
            }
            #expect(try await names() == ["Attic"])

            let agent = try Lab.start(on: own.name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
            #expect(try await device.run(["alias", "Attic", "Cellar"]).status == 0)
            var patience = Patience(.seconds(20))
            while try await names() != ["Cellar"] {
                guard patience.isLeft() else { throw LabProcess.TimedOut(description: "another name") }
                try await Task.sleep(for: patience.step)
            }
            // An impostor has its fingerprint, and not its certificate.
            let digits = try #require(
                try await device.run(["alias", "--format", "json"]).output.firstMatch(
                    of: /"leafSha256":"([0-9a-f]{64})"/
                )
            ).output.1
            let impostor = LabGateway("Cellar 2", on: other, isPlain: false, ["--fp", String(digits)])
            try await impostor.start(port: 4_651)
            patience = Patience(.seconds(20))
            while try await names().count < 2 {
                guard patience.isLeft() else { throw LabProcess.TimedOut(description: "the impostor") }
                try await Task.sleep(for: patience.step)
            }
            #expect(try await names() == ["Cellar", "Cellar 2"])
            // A name from the user makes a gateway one of the user's own: it is watched and measured, and the impostor is not.
            let socket = "\(folder.path("run"))/clawradar/agent.sock"
            let curl = ["curl", "--silent", "--unix-socket", socket, "http://localhost/metrics"]
            let metrics = try await Lab.run(on: own.name, curl).output
            #expect(metrics.contains("clawradar_gateway_up{gateway=\"Cellar\"} 1\n"), "\(metrics)")
            #expect(metrics.split(separator: "\n").count { $0.hasPrefix("clawradar_gateway_up{") } == 1, "\(metrics)")
            // The history has the name as soon as the agent has looked again.
            func watched() async throws -> [String] {
                let history = try await device.run(["history", "--format", "json"]).output
                return (try JSONValue(parsing: Array(history.utf8))["gateways"]?.array ?? [])
                    .compactMap { $0["name"]?.string }
            }
            patience = Patience(.seconds(70))
            while try await watched() != ["Cellar"] {
                guard patience.isLeft() else {
                    throw LabProcess.TimedOut(description: "a history with the name, not \(try await watched())")
                }
                try await Task.sleep(for: patience.step)
            }
            #expect(try await device.run(["alias", "Cellar", "--remove"]).status == 0)
            #expect(try await device.run(["alias", "Cellar", "--remove"]).status == 1)
            try await agent.stop()
            try await impostor.stop()
            try await gateway.stop()
        }

        /// A paired gateway has the name from its user in every view, and no other; and within a second after that is taken away,
        /// the one of before: while an agent runs, and without.
        @Test func everyViewHasTheOneName() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("n96g", .bare, lan: 96)
            let own = try await LabHost.add("n96a", .bare, lan: 96)
            let gateway = LabGateway(
                "Home Gateway",
                on: home,
                isPlain: false,
                ["--state", folder.path("gateway.json")]
            )
            try await gateway.start(port: 4_696)
            let device = try LabDevice(
                on: own,
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            try await device.pair("Home Gateway")
            let agent = try Lab.start(on: own.name, device.command(["agent"]))
            let socket = "\(folder.path("run"))/clawradar/agent.sock"
            try await AgentLabTests.waitForSocket(socket, agent)
            // What it answers, and has answered, is there.
            let views = ["scan", "bots", "status", "pairings", "history"]
            for view in views { _ = try await Self.wait(for: "Home Gateway", not: "Attic", in: [view], device) }
            #expect(try await device.run(["mute", "Home Gateway", "--for", "1h"]).status == 0)

            let steps = [
                (["Home Gateway", "Attic"], "Attic", "Home Gateway"), (["Attic", "--remove"], "Home Gateway", "Attic"),
            ]
            for (given, name, other) in steps {
                let result = try await device.run(["alias"] + given)
                #expect(result.status == 0, "\(result.output) \(result.errors)")
                let start = ContinuousClock.now
                let times = try await (views + ["mute"]).atOnce { view in
                    (view, try await Self.wait(for: name, not: other, in: [view], device) - start)
                }
                print("names: \(name) after \(times.map { "\($0.0) \($0.1)" })")
                #expect(times.allSatisfy { $0.1 <= .seconds(1) }, "\(times)")
            }
            try await agent.stop()
            for (given, name, other) in steps {
                #expect(try await device.run(["alias"] + given).status == 0)
                for view in views + ["mute"] {
                    let shown = try await device.run([view]).output
                    #expect(shown.contains(name) && !shown.contains(other), "\(view): \(shown)")
                }
            }
            try await gateway.stop()
        }

        /// Waits until a view has a name, and not another one.
        ///
        /// - Returns: The time at which the command was started that has shown it.
        private static func wait(
            for name: String,
            not other: String,
            in arguments: [String],
            _ device: LabDevice
        ) async throws -> ContinuousClock.Instant {
            var patience = Patience(.seconds(30))
            while true {
                let start = ContinuousClock.now
                let result = try await device.run(arguments)
                if result.output.contains(name), !result.output.contains(other) { return start }
                guard patience.isLeft() else {
                    throw LabProcess.TimedOut(
                        description: "\(arguments) has not \(name), or \(other): \(result.output) \(result.errors)"
                    )
                }
                try await Task.sleep(for: patience.step)
            }
        }
    }
}
