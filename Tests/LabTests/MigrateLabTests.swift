import Foundation
import Testing

extension LabTests {
    /// The import of an older configuration: real gateways, whose logs show who got a token, and when.
    @Suite struct MigrateLabTests {
        /// Tokens reach nobody before trust: neither by the import, nor by sessions that are kept meanwhile, nor by the list
        /// that is shown. Once a person trusts the list, every gateway connects; what is not enabled stays alone.
        @Test func tokensReachNobodyBeforeTrust() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("migrate-home", .bare, lan: 58)
            let host = try await LabHost.add("migrate-device", .bare, lan: 58)
            let kinds: [(name: String, port: Int, isPlain: Bool)] = [
                ("Plain", 4_000, true), ("Sealed", 4_001, false), ("Resting", 4_002, true),
            ]
            let log = { (name: String) in SecretLogFile(folder.path("\(name).log")) }
            let older = try LabDevice(on: host)
            var entries: [String] = []
            for kind in kinds {
                let options = ["--no-advertise", "--fp", "fp-\(kind.name)", "--log-secrets", log(kind.name).path]
                let gateway = LabGateway(kind.name, on: home, isPlain: kind.isPlain, options)
                try await gateway.start(port: kind.port)
                let place = "\(home.address):\(kind.port)"
                try await older.pair(place, kind.isPlain ? ["--trust", "address"] : [])
                let token = try #require(
                    try await older.pairings().first { $0.name == kind.name }?.credentials.first?.token
                )
                entries.append(
                    #"{"id":"\#(kind.name)","name":"Jarvis","token":"\#(token)","host":"\#(home.address)","#
                        + #""port":\#(kind.port),"connectionMethod":"lan","isEnabled":\#(kind.name != "Resting")}"#
                )
            }
            let file = try SecretFile(folder.path("bots.json"), "[\(entries.joined(separator: ",\n")),\n{\"id\":1}]")
            let before = kinds.map { log($0.name).lines.count }
            func sent() -> [Int] { zip(kinds, before).map { log($0.name).lines.count - $1 } }

            let device = try LabDevice(on: host)
            let imported = try await device.run(["migrate", file.path])
            #expect(imported.status == 1 && imported.errors.contains("line 4"), "\(imported.errors)")
            let awaiting = try await device.pairings()
            #expect(awaiting.count == 3)
            let refused = try await device.run(["trust", awaiting[0].id])
            #expect(refused.status == 64, "\(refused.errors)")
            let status = try await device.run(["status", "--timeout", "3"])
            #expect(status.output.components(separatedBy: "awaits-trust").count == 4, "\(status.output)")
            let person = { (options: [String], arguments: [String]) in
                try await Lab.run(on: host.name, [Lab.tool("person")] + options + ["--"] + device.command(arguments))
            }
            let watch = try SessionWatch(of: device)
            let looked = try await person(["--choose", "nobody"], ["migrate", file.path])
            #expect(looked.output.contains("sha256") && looked.output.contains("no TLS"), "\(looked.output)")
            #expect(looked.output.contains("3 were imported before"), "\(looked.output)")
            #expect(try await device.pairings().map(\.id) == awaiting.map(\.id))
            #expect(sent() == [0, 0, 0])

            _ = try await person(["--choose", "all 3"], ["migrate", file.path])
            for name in ["Plain", "Sealed"] {
                #expect(try await watch.settles(name, "connected", within: .seconds(20)), "\(watch.lastLog)")
            }
            #expect(watch.last("Resting")?.state != "connected")
            try await watch.stop()
            let received = sent()
            #expect(received[0] > 0 && received[1] > 0 && received[2] == 0, "\(received)")
            let unchanged = try await device.pairings().map { [$0.id] + $0.endpoints }
            _ = try await device.run(["migrate", file.path])
            #expect(try await device.pairings().map { [$0.id] + $0.endpoints } == unchanged)
        }

        /// An address with a host name that a trusted certificate proves needs no question: its gateway connects by itself.
        /// While the name leads to somebody whose certificate is not trusted, no token goes there.
        @Test func aCertifiedHostConnectsByItself() async throws {
            let name = "bot.clawradar.test"
            let folder = try ScratchFolder()
            let names = ["certified-home", "certified-mallory", "certified-device"]
            let hosts = try await LabHost.add(names.map { ("migrate-\($0)", .bare, 1) }, lan: 24)
            let named = try await NamedHosts(for: [name], at: hosts[0], on: hosts[2])
            let stolen = SecretLogFile(folder.path("stolen.log"))
            let gateway = LabGateway("Far", on: hosts[0], listen: "127.0.0.1", ["--no-advertise", "--fp", "fp-far"])
            try await gateway.start(port: 4_200)
            let mallory = LabGateway(
                "Far",
                on: hosts[1],
                isPlain: false,
                ["--no-advertise", "--fp", "fp-far", "--log-secrets", stolen.path]
            )
            try await mallory.start(port: 4_300)
            let front = try await named.startFront(on: hosts[0], port: 4_300, to: 4_200, named: name)

            let older = try LabDevice(on: hosts[2])
            try await older.pair("\(name):4300")
            let token = try #require(try await older.tokens().first)
            let entry = #"[{"id":"bot-1","name":"Jarvis","token":"\#(token)","host":"\#(name)","port":4300,"#
            let file = try SecretFile(folder.path("bots.json"), entry + #""connectionMethod":"tunnel"}]"#)
            let device = try LabDevice(on: hosts[2])
            try named.resolve(to: hosts[1])
            let imported = try await device.run(["migrate", file.path])
            #expect(imported.status == 0, "\(imported.output) \(imported.errors)")
            let watch = try SessionWatch(of: device)
            let bot = try #require(try await device.pairings().first).name
            #expect(try await watch.settles(bot, "uncertified", within: .seconds(20)), "\(watch.lastLog)")
            #expect(stolen.lines.isEmpty)
            try named.resolve(to: hosts[0])
            #expect(try await watch.settles(bot, "connected", within: .seconds(60)), "\(watch.lastLog)")
            try await watch.stop()
            #expect(try await device.pairings().count == 1 && stolen.lines.isEmpty)
            _ = try await front.stop()
            try await gateway.stop()
            try await mallory.stop()
        }
    }
}
