import Foundation
import Glibc
import Testing

extension LabTests {
    /// The findings about the services of a network: which are gateways, which belong to the same gateway, and which
    /// are impostors.
    @Suite struct FindingsLabTests {
        private static func gateway(on host: String, _ name: String, _ arguments: String...) async throws -> LabProcess
        {
            let gateway = try Lab.start(
                on: host,
                [Lab.referenceGateway, "--plain", "--name", name, "--host", "::"] + arguments
            )
            _ = try await gateway.line(within: .seconds(15), "message that \(name) is published") {
                $0.contains("published")
            }
            return gateway
        }

        /// Starts a server that is not a gateway, if one is given, and advertises it as a gateway.
        private static func other(_ name: String, _ how: String?, port: Int) async throws -> [LabProcess] {
            var processes: [LabProcess] = []
            if let how {
                let peer = try Lab.start(on: "h4", Lab.tool("tcp-peer"), how, "\(port)")
                _ = try await peer.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                processes.append(peer)
            }
            processes.append(try Publisher.avahi(on: "h4", name, port: port))
            return processes
        }

        private static func scan(_ arguments: String...) async throws -> (FindingsOutput, LabProcess.Result) {
            let result = try await Lab.start(on: "h1", [Lab.clawradar, "scan", "--format", "json"] + arguments)
                .finish(within: .seconds(30))
            return (try FindingsOutput(result.output), result)
        }

        @Test func everyServiceIsClassified() async throws {
            var processes = [
                try await Self.gateway(on: "h2", "Mixed design", "--bot", "bot-1=Jarvis:🤖", "--bot", "bot-2=Friday"),
                try await Self.gateway(on: "h3", "Mixed openclaw", "--dialect", "openclaw"),
                try await Self.gateway(on: "h4", "Mixed bridge", "--dialect", "bridge"),
            ]
            let others = [
                ("ssh", "banner", 4_222), ("web", "web", 4_280), ("silent", "silent", 4_244), ("dead", nil, 4_299),
            ]
            for (name, how, port) in others { processes += try await Self.other("Mixed \(name)", how, port: port) }
            let watch = try Watch(on: "h1")
            try await watch.found(others.map { "Mixed \($0.0)" })
            try await watch.stop()

            let (findings, result) = try await Self.scan("--timeout", "4")
            #expect(result.status == 0)
            #expect(result.elapsed < .seconds(5), "the timeout includes the probes: \(result.elapsed)")
            let design = try #require(findings.gateway("Mixed design"), "\(result.output)")
            #expect(design.dialect == "optaplus")
            #expect(design.liveness == "answering")
            #expect(design.latencyMs != nil)
            #expect(design.bots.map(\.name) == ["Jarvis", "Friday"])
            #expect(design.bots.map(\.emoji) == ["🤖", nil])
            #expect(findings.gateway("Mixed openclaw")?.dialect == "openclaw")
            #expect(findings.gateway("Mixed bridge")?.dialect == "bridge")
            #expect(findings.gateways.count == 3)
            #expect(findings.reason("Mixed ssh") == "an SSH server: “SSH-2.0-OpenSSH_9.2p1 Debian-2”")
            #expect(findings.reason("Mixed web")?.hasPrefix("a web server (HTTP 200)") == true)
            #expect(findings.reason("Mixed dead") == "connection refused")
            #expect(findings.reason("Mixed silent")?.hasPrefix("no answer in ") == true)
            let advertised = findings.services.filter { $0.instance.hasPrefix("Mixed") }
            #expect(advertised.count == 7, "the scan must list all services, also those without a gateway")

            let table = try await Lab.run(on: "h1", Lab.clawradar, "scan")
            #expect(table.output.contains("  🤖 Jarvis, Friday\n"), "\(table.output)")
            // Standard error is not a terminal: no progress is printed, only the command that pairs with a gateway.
            let next = ["design", "openclaw", "bridge"].map { "next: clawradar pair \"Mixed \($0)\"\n" }
            #expect(next.contains(table.errors), "\(table.errors)")

            // The lines for scripts are those of avahi-browse, which prints them in an arbitrary order.
            let type = "_openclaw._tcp"
            let ours = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "avahi", "--type", type)
            let theirs = try await Lab.run(on: "h1", "avahi-browse", "-rpt", type)
            let lines = [ours, theirs].map { run in
                run.output.split(separator: "\n").filter { $0.contains("Mixed") }.sorted()
            }
            #expect(lines[0] == lines[1])
            #expect(!lines[0].isEmpty)
            for process in processes { try await process.stop() }
        }

        @Test func theExitStatusTellsWhetherAGatewayAnswered() async throws {
            let dead = try await Self.other("Only dead", nil, port: 4_298)
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Only dead")
            try await watch.stop()
            let (nothing, result) = try await Self.scan()
            #expect(result.status == 1)
            #expect(result.errors.contains("no gateway answered"))
            #expect(nothing.reason("Only dead") == "connection refused")
            let services = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--no-probe")
            #expect(services.status == 0)

            let hidden = try Lab.start(
                on: "h2",
                [
                    Lab.referenceGateway, "--plain", "--name", "Hidden", "--host", "::", "--port", "4120",
                    "--no-advertise",
                ]
            )
            _ = try await hidden.line(within: .seconds(10), "message that it listens") { $0.contains("listens") }
            let address = "ws://\(try await Lab.address("h2")):4120"
            let (found, second) = try await Self.scan("--gateway", address)
            #expect(second.status == 0)
            #expect(found.gateway("Hidden")?.services.isEmpty == true)
            try await hidden.stop()
            for process in dead { try await process.stop() }
        }

        /// A host without a port is asked at the usual ports: the gateway that is there is found, and no other port is shown. A
        /// host without a gateway is one row.
        @Test func aHostIsAskedAtTheUsualPorts() async throws {
            let user = try await LabHost.add("usual-user", .bare, lan: 116)
            let home = try await LabHost.add("usual-home", .bare, lan: 116)
            let command = [Lab.clawradar, "scan", "--format", "json", "--gateway", home.address]
            let none = try await Lab.run(on: user.name, command)
            #expect(none.status == 1, "\(none.errors)")
            let empty = try FindingsOutput(none.output)
            #expect(empty.gateways.isEmpty && empty.others.count == 1, "\(none.output)")
            #expect(none.output.contains("no gateway at the usual ports 3000, 18789, 18790, 9099, 18800"))
            let gateway = LabGateway("Usual", on: home, ["--no-advertise"])
            try await gateway.start(port: 18_789)
            let one = try await Lab.run(on: user.name, command)
            #expect(one.status == 0, "\(one.errors)")
            let found = try FindingsOutput(one.output)
            #expect(found.gateways.map(\.name) == ["Usual"] && found.others.isEmpty, "\(one.output)")
            try await gateway.stop()
        }

        @Test func ctrlCEndsAScanSuccessfully() async throws {
            let gateway = try await Self.gateway(on: "h2", "Early bird")
            let scan = try Lab.start(on: "h1", Lab.clawradar, "scan", "--timeout", "60", "--format", "ndjson")
            _ = try await scan.line(within: .seconds(5), "line of the gateway") {
                GatewayEvent($0)?.gateway.name == "Early bird"
            }
            let start = ContinuousClock.now
            let result = try await scan.stop(SIGINT)
            #expect(result.status == 0)
            #expect(.now - start < .milliseconds(700))
            try await gateway.stop()
        }

        /// Returns the number of services of a name, by family and type, that the daemon of h1 resolves on an
        /// interface.
        private static func daemonRows(of name: String, on interface: String) async throws -> Int {
            var count = 0
            for type in ["_openclaw._tcp", "_openclaw-gw._tcp"] {
                let browse = try await Lab.run(on: "h1", "avahi-browse", "-rpt", type)
                let rows = browse.output.split(separator: "\n").filter { $0.hasPrefix("=;\(interface);") }
                count += rows.count { $0.contains(";\(name);\(type);") }
            }
            return count
        }

        @Test func manyWaysToOneGatewayAreOneGateway() async throws {
            let gateway = try await Self.gateway(
                on: "h2",
                "Twin",
                "--type",
                "_openclaw._tcp",
                "--type",
                "_openclaw-gw._tcp"
            )
            let watch = try Lab.start(on: "h1", Lab.clawradar, "watch", "--format", "ndjson")
            /// Waits for a line about the gateway that fulfils the condition.
            func row(
                within limit: Duration = .seconds(10),
                _ description: String,
                where condition: @escaping @Sendable (GatewayEvent) -> Bool
            ) async throws {
                _ = try await watch.line(within: limit, description) { text in
                    guard let event = GatewayEvent(text), event.gateway.name == "Twin" else { return false }
                    return condition(event)
                }
            }
            try await row("one gateway with two services and four paths") { event in
                event.gateway.services.count == 2 && event.gateway.paths.count == 4
            }
            let (findings, _) = try await Self.scan()
            #expect(findings.gateways.filter { $0.name == "Twin" }.count == 1)
            #expect(findings.gateway("Twin")?.flags == [])
            #expect(findings.services.filter { $0.gateway.name == "Twin" }.count == 2)

            try await Lab.control("link", "h1", "eth1", "down")
            try await row("a change to two paths") { $0.event == "changed" && $0.gateway.paths.count == 2 }
            try await Lab.control("link", "h1", "eth1", "up")
            try await row(within: .seconds(20), "its paths again") { $0.gateway.paths.count == 4 }
            // The one-shot query sees the services on eth1 before the daemon does. But only the daemon hears their
            // goodbyes, so that it must know them before the gateway stops.
            let deadline = ContinuousClock.now + .seconds(20)
            while try await Self.daemonRows(of: "Twin", on: "eth1") < 4 { try #require(ContinuousClock.now < deadline) }
            try await gateway.stop()
            try await row("the loss of its services") { $0.gateway.services.isEmpty }
            try await row(within: .seconds(20), "its loss") { $0.event == "lost" }
            try await watch.stop(SIGINT)
        }

        /// An impostor that advertises the fingerprint of a gateway has a row of its own: no row has paths of both, and
        /// both rows carry a warning.
        @Test func anImpostorHasARowOfItsOwn() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("impostor-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (state, copy) = (folder.appendingPathComponent("real").path, folder.appendingPathComponent("copy").path)
            let real = try await Self.gateway(on: "h2", "Real", "--bot", "bot-1=Jarvis:🤖", "--state", state)
            let (alone, _) = try await Self.scan()
            let row = try #require(alone.gateway("Real"))
            let fingerprint = try #require(row.fingerprint)
            #expect(row.flags == [])

            // The impostor copies everything that can be copied: the TXT record, the name, the bots and the answer.
            if !FileManager.default.fileExists(atPath: copy) {
                try FileManager.default.copyItem(atPath: state, toPath: copy)
            }
            let impostor = try await Self.gateway(on: "h3", "Real", "--bot", "bot-1=Jarvis:🤖", "--state", copy)
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Real #2")
            try await watch.stop()

            let (both, result) = try await Self.scan()
            let rows = both.gateways.filter { $0.fingerprint == fingerprint }
            #expect(rows.count == 2, "\(result.output)")
            #expect(rows.allSatisfy { $0.flags == ["sameFingerprint"] })
            #expect(rows.allSatisfy { $0.bots.map(\.name) == ["Jarvis"] }, "the impostor answers with the same bots")
            let (ours, theirs) = (try await Lab.address("h2"), try await Lab.address("h3"))
            for row in rows {
                let addresses = Set(row.paths.map(\.address))
                #expect(
                    addresses.contains(ours) != addresses.contains(theirs),
                    "a row has the paths of both or of neither: \(addresses)"
                )
            }
            let table = try await Lab.run(on: "h1", Lab.clawradar, "scan")
            #expect(table.output.contains("! another one claims the same fingerprint"))
            try await real.stop()
            try await impostor.stop()
        }
    }
}
