import Foundation
import Glibc
import Testing

extension LabTests {
    /// A gateway is published in a zone of a real server, where the programs of others read it, and nothing is left of it.
    @Suite struct ZonePublishLabTests {
        static let zone = "kitchen.example.internal"

        /// A server on a host, and publishers with a memory each.
        struct Stage {
            let folder: ScratchFolder
            let server: String
            private let host: String

            init(_ kind: String, on host: String = "h3") async throws {
                self.host = host
                folder = try ScratchFolder.private()
                let address = try await Lab.address(host)
                server = "\(address):5300"
                try await zone("up", kind, "--address", address)
            }

            @discardableResult
            func zone(_ arguments: String...) async throws -> String {
                let script = Lab.root.appendingPathComponent("scripts/zone").path
                let result = try await Lab.run(
                    on: host,
                    ["env", "CLAWRADAR_ZONE_STATE=\(folder.path("zone"))", script] + arguments,
                    within: .seconds(60)
                )
                try #require(result.status == 0, "scripts/zone \(arguments): \(result.errors)")
                return result.output
            }

            /// The records of the zone without those that it begins with.
            func records() async throws -> [String] {
                let own = ["SOA", "NS"].map { "\tIN\t\($0)\t" } + ["ns.example.internal."]
                return try await zone("show").split(separator: "\n").map(String.init)
                    .filter { line in !own.contains { line.contains($0) } }
            }

            func advertise(on host: String, _ name: String) async throws -> (process: LabProcess, line: String) {
                let process = try Lab.start(
                    on: host,
                    ["env", "XDG_STATE_HOME=\(folder.path(host))", Lab.clawradar, "advertise", "--name", name]
                        + ["--port", "3000", "--zone", ZonePublishLabTests.zone, "--server", server]
                        + ["--tsig-key", folder.path("zone/site1.key")]
                )
                let line = try await process.line(within: .seconds(20), "message that \(name) is published") {
                    $0.contains("published")
                }
                return (process, line.text)
            }

            /// Changes the zone by the program of BIND.
            func update(_ lines: [String]) async throws {
                let text = (["server \(server.replacing(":", with: " "))"] + lines + ["send"]).map { $0 + "\n" }
                    .joined()
                try text.write(toFile: folder.path("update"), atomically: true, encoding: .utf8)
                let key = folder.path("zone/site1.key")
                let result = try await Lab.run(on: host, "nsupdate", "-k", key, folder.path("update"))
                try #require(result.status == 0, "\(result.errors)")
            }
        }

        /// Two publishers of one name, a crash, and an end without traces.
        @Test(arguments: ["bind", "knot"])
        func othersReadItAndNothingIsLeft(kind: String) async throws {
            let stage = try await Stage(kind)
            let first = try await stage.advertise(on: "h1", "Kitchen")
            #expect(first.line.contains("published \"Kitchen\""), "\(first.line)")
            #expect(first.line.contains("in \(Self.zone)"), "\(first.line)")
            let address = try await Lab.address("h1")

            let host = stage.server.split(separator: ":").map(String.init)
            let dig = ["dig", "@\(host[0])", "-p", host[1], "+short"]
            let list = try await Lab.run(on: "h2", dig + ["_openclaw._tcp.\(Self.zone)", "PTR"])
            #expect(list.output.lowercased().contains("kitchen._openclaw._tcp.\(Self.zone)."), "\(list.output)")
            let location = try await Lab.run(on: "h2", dig + ["Kitchen._openclaw._tcp.\(Self.zone)", "SRV"])
            let target = try #require(location.output.split(separator: " ").last).trimmingCharacters(in: .newlines)
            #expect(location.output.hasPrefix("0 0 3000 "), "\(location.output)")
            let addresses = try await Lab.run(on: "h2", dig + [target, "A"])
            #expect(addresses.output.contains(address), "\(addresses.output)")

            let second = try await stage.advertise(on: "h2", "Kitchen")
            #expect(second.line.contains("\"Kitchen #2\""), "\(second.line)")

            // After a crash it finds what it left, and has its name again.
            _ = try await first.process.stop(SIGKILL)
            #expect(try await stage.records().contains { $0.contains(address) })
            let again = try await stage.advertise(on: "h1", "Kitchen")
            #expect(again.line.contains("published \"Kitchen\""), "\(again.line)")

            for process in [again.process, second.process] { try await process.stop() }
            #expect(try await stage.records() == [])
            try await stage.zone("down")
        }

        /// What a publisher left that never came back is removed by another one; what has no lease stays.
        @Test(arguments: ["bind", "knot"])
        func whatIsOverIsRemoved(kind: String) async throws {
            let stage = try await Stage(kind)
            let (type, time) = ("_openclaw._tcp.\(Self.zone).", Int(Date().timeIntervalSince1970))
            try await stage.update([
                "update add \(type) 60 PTR Dead.\(type)",
                "update add Dead.\(type) 60 SRV 0 0 1 dead-0dead.hosts.\(Self.zone).",
                "update add dead-0dead.hosts.\(Self.zone). 60 A 192.0.2.1",
                "update add _services._dns-sd._udp.\(Self.zone). 60 PTR \(type)",
                "update add _lease.Dead.\(type) 60 TXT \"owner=0dead\" \"until=\(time - 700)\" \"host=dead-0dead\" "
                    + "\"type=_openclaw._tcp\"",
                "update add \(type) 60 PTR Given.\(type)", "update add Given.\(type) 60 SRV 0 0 1 given.\(Self.zone).",
            ])
            let alive = try await stage.advertise(on: "h1", "Alive")
            var patience = Patience(.seconds(20))
            while try await stage.records().contains(where: { $0.lowercased().contains("dead") }) {
                let isLeft = patience.isLeft()
                try #require(isLeft)
                try await Task.sleep(for: patience.step)
            }
            #expect(try await stage.records().contains { $0.lowercased().hasPrefix("given.") })
            try await alive.process.stop()
            try await stage.zone("down")
        }

        /// A key that was renewed at the server: said, and in force without a restart once its file has it. A key whose name the
        /// server does not know is said as well.
        @Test func aRenewedKeyIsInForceAtOnce() async throws {
            let stage = try await Stage("bind")
            let right = try String(contentsOfFile: stage.folder.path("zone/site1.key"), encoding: .utf8)
            let wrong = right.replacing(/secret ".*"/, with: #"secret "bGFiLWxhYi1sYWItbGFiLWxhYi1sYWItbGFiLWxhYg==""#)
            let other = right.replacing("site1", with: "site9")
            var processes: [LabProcess] = []
            for (name, text) in [("Renewed", wrong), ("Unknown", other)] {
                let key = stage.folder.path("\(name).key")
                try Self.write(text, to: key)
                let command =
                    ["env", "XDG_STATE_HOME=\(stage.folder.path(name))", Lab.clawradar, "advertise", "--name", name]
                    + ["--port", "3000", "--zone", Self.zone, "--server", stage.server, "--tsig-key", key]
                processes.append(try Lab.start(on: "h1", command))
            }
            for (process, code) in zip(processes, ["(BADSIG)", "(BADKEY)"]) {
                var patience = Patience(.seconds(10))
                while !process.errorText.contains(code), patience.isLeft() {
                    try await Task.sleep(for: patience.step)
                }
                #expect(process.errorText.contains(code), "\(process.errorText)")
            }
            #expect(try await stage.records() == [])
            try Self.write(right, to: stage.folder.path("Renewed.key"))
            _ = try await processes[0].line(within: .seconds(20), "message that it is published") {
                $0.contains("published")
            }
            for process in processes { try await process.stop() }
            #expect(try await stage.records() == [])
            try await stage.zone("down")
        }

        /// All gateways of a large site are published within seconds, and withdrawn.
        @Test func aThousandArePublishedAtOnce() async throws {
            let stage = try await Stage("bind")
            let key = try String(contentsOfFile: stage.folder.path("zone/site1.key"), encoding: .utf8)
            let secret = try #require(key.firstMatch(of: /secret "(.*)"/)?.1)
            let place = stage.server.split(separator: ":").map(String.init)
            let command = [Lab.testTool, "zone-publication", "1000", Self.zone] + place + ["site1", String(secret)]
            let process = try Lab.start(on: "h1", command)
            let line = try await process.line(within: .seconds(20), "publication of all") { $0.contains("published") }
            let time = try #require(Int(line.text.replacing("published ", with: "")))
            #expect(time <= 5_000)
            let list = try await Lab.run(
                on: "h2",
                ["dig", "@\(place[0])", "-p", place[1], "+short", "_openclaw._tcp.\(Self.zone)", "PTR"]
            )
            #expect(list.output.split(separator: "\n").count == 1_000)
            let result = try await process.finish(within: .seconds(10))
            #expect(result.status == 0 && !result.output.contains("trouble"), "\(result.output)")
            #expect(try await stage.records() == [])
            try await stage.zone("down")
        }

        private static func write(_ text: String, to path: String) throws {
            let data = Data(text.utf8)
            let isWritten = FileManager.default.createFile(
                atPath: path,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            )
            try #require(isWritten)
        }

        /// The server is gone for a while: said with its reason, and published again without a restart.
        @Test func anOutageIsOutlived() async throws {
            let stage = try await Stage("bind")
            try await stage.zone("down-server")
            let process = try Lab.start(
                on: "h1",
                ["env", "XDG_STATE_HOME=\(stage.folder.path("h1"))", Lab.clawradar, "advertise", "--name", "Late"]
                    + ["--port", "3000", "--zone", Self.zone, "--server", stage.server]
                    + ["--tsig-key", stage.folder.path("zone/site1.key")]
            )
            try await Task.sleep(for: .seconds(2))
            try await stage.zone("up-server")
            _ = try await process.line(within: .seconds(20), "message that it is published") {
                $0.contains("published")
            }
            let result = try await process.stop()
            #expect(result.errors.contains("the DNS server \(stage.server)"), "\(result.errors)")
            #expect(try await stage.records() == [])
            try await stage.zone("down")
        }
    }
}
