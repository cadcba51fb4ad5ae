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
    }
}
