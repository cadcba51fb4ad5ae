import Foundation
import Testing

extension LabTests {
    /// Codes and links of every form, from somebody who has them to a paired gateway.
    @Suite struct InvitationLabTests {
        /// A gateway that pairs whoever has a code of it, and a device.
        private struct Stage {
            static let port = 18_789
            let gateway: LabGateway
            let device: LabDevice
            let folder: ScratchFolder
            let log: SecretLogFile
            private let state: [String]

            init(lan: Int) async throws {
                let home = try await LabHost.add("invited-home-\(lan)", .bare, lan: lan)
                device = try LabDevice(on: try await LabHost.add("invited-user-\(lan)", .bare, lan: lan))
                folder = try ScratchFolder.private()
                log = SecretLogFile(folder.path("log"))
                state = ["--state", folder.path("claw")]
                let options = ["--dialect", "openclaw", "--approve", "auto", "--log-secrets", log.path] + state
                gateway = LabGateway("Claw", on: home, isPlain: false, options)
                try await gateway.start(port: Self.port)
            }

            var home: LabHost { gateway.host }

            /// Returns the fields of a new code of the gateway.
            func fields() async throws -> [String: Any] {
                let made = try await Lab.run(on: home.name, [Lab.referenceGateway, "code"] + state)
                let text = try InvitationLabTests.text(of: made.output.trimmingCharacters(in: .whitespacesAndNewlines))
                let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
                var fields = try #require(json as? [String: Any])
                fields["url"] = url
                return fields
            }

            var url: String { "wss://\(home.address):\(Self.port)" }

            /// Returns the digits of the certificate of the gateway.
            func leaf() async throws -> String {
                let probe = try await device.run(["probe", "\(home.address):\(Self.port)", "--format", "json"])
                return String(try #require(probe.output.firstMatch(of: /"leafSha256":"([0-9a-f]{64})"/)).output.1)
            }
        }

        private static func code(_ fields: [String: Any]) throws -> String {
            try JSONSerialization.data(withJSONObject: fields).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        /// Returns the JSON in a code.
        private static func text(of code: String) throws -> String {
            let base64 = code.replacing("-", with: "+").replacing("_", with: "/")
            let data = Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
            return String(decoding: try #require(data, "\(code)"), as: UTF8.self)
        }

        /// A code with eight addresses, seven of which are dead, is paired with in time; used twice, for another
        /// certificate and too old, it goes nowhere.
        @Test func setupCodes() async throws {
            let stage = try await Stage(lan: 75)
            let leaf = try await stage.leaf()
            let network = stage.home.address.split(separator: ".").dropLast().joined(separator: ".")
            let dead = (241...247).map { "wss://\(network).\($0):\(Stage.port)" }
            var fields = try await stage.fields()

            fields["tlsFingerprint"] = String(repeating: "0", count: 64)
            let wrong = try await stage.device.run(["pair", try Self.code(fields), "--yes", "--timeout", "20"])
            #expect(wrong.status == 1 && wrong.errors.contains("another one"), "\(wrong.errors)")
            #expect(stage.log.lines.isEmpty, "\(stage.log.lines)")
            fields["tlsFingerprint"] = leaf
            fields["expiresAtMs"] = 1
            let old = try await stage.device.run(["pair", try Self.code(fields), "--yes", "--timeout", "20"])
            #expect(old.status == 1 && old.errors.contains("has expired"), "\(old.errors)")
            #expect(stage.log.lines.isEmpty, "\(stage.log.lines)")

            fields["urls"] = dead + [stage.url]
            fields["expiresAtMs"] = Int(Date().timeIntervalSince1970 * 1_000) + 600_000
            let code = "oc-pair://" + (try Self.code(fields))
            let paired = try await stage.device.run(["pair", code, "--yes", "--timeout", "20"])
            #expect(paired.status == 0 && paired.elapsed < .seconds(10), "\(paired.elapsed): \(paired.errors)")
            print("paired by a code with seven dead addresses in \(paired.elapsed)")
            let trust = try await stage.device.pairings().map(\.trust.leafSha256)
            #expect(trust == [leaf])

            let other = try LabDevice(on: stage.device.host)
            let again = try await other.run(["pair", code, "--yes", "--timeout", "20"])
            #expect(again.status == 1 && again.errors.contains("spent"), "\(again.errors)")
            try await stage.gateway.stop()
        }

        /// A code behind a join URL is fetched once, whatever comes of it; a code comes by a pipe, too.
        @Test func joinURLsAndPipes() async throws {
            let stage = try await Stage(lan: 76)
            var fields = try await stage.fields()
            fields["tlsFingerprint"] = try await stage.leaf()
            let file = stage.folder.path("code.json")
            try JSONSerialization.data(withJSONObject: fields).write(to: URL(filePath: file))
            var dead = fields
            dead["url"] = "wss://\(stage.home.address):9"
            let deadFile = stage.folder.path("dead.json")
            try JSONSerialization.data(withJSONObject: dead).write(to: URL(filePath: deadFile))
            for (how, port) in [("lose", 8_001), ("dead", 8_003), ("once", 8_002)] {
                let log = stage.folder.path("fetched-\(how)")
                let (mode, content) = how == "dead" ? ("once", deadFile) : (how, file)
                let command = [Lab.tool("join-server"), mode, "\(port)", log, content]
                let server = try Lab.start(on: stage.device.host.name, command)
                _ = try await server.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                func fetched() throws -> Int {
                    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
                }
                let url = "http://127.0.0.1:\(port)/claw/j/once"
                // Without consent, nothing is fetched.
                let asked = try await stage.device.run(["pair", url])
                #expect(asked.status == 64 && !FileManager.default.fileExists(atPath: log), "\(asked.errors)")
                let first = try await stage.device.run(["pair", url, "--yes", "--timeout", "20"])
                #expect(try fetched() == 1)
                if how == "lose" {
                    #expect(first.status == 1 && first.errors.contains("the answer was lost"), "\(first.errors)")
                } else if how == "dead" {
                    // No address of the code answers, and the URL gives it to nobody any more.
                    #expect(first.status == 1 && first.errors.contains("the join URL is used up"), "\(first.errors)")
                } else {
                    #expect(first.status == 0, "\(first.errors)")
                    let second = try await stage.device.run(["pair", url, "--yes", "--timeout", "20"])
                    #expect(second.status == 1 && second.errors.contains("HTTP 404"), "\(second.errors)")
                }
                #expect(!(first.errors + asked.errors).contains("/j/once"), "the code was shown")
                try await server.stop()
            }

            fields = try await stage.fields()
            fields["tlsFingerprint"] = try await stage.leaf()
            let other = try LabDevice(on: stage.device.host)
            let words = other.command(["pair", "-", "--yes", "--timeout", "20"])
            let script = "printf %s \"$0\" | \"$@\""
            let piped = try await Lab.run(
                on: other.host.name,
                ["bash", "-c", script, try Self.code(fields)] + words
            )
            #expect(piped.status == 0, "\(piped.errors)")
            try await stage.gateway.stop()
        }

        /// Behind `https://`, a code is fetched once, from a host whose certificate the system trusts, and from no other; also
        /// when the answer is lost, or does not come within the time that the user gives it.
        @Test func joinURLsOverTLS() async throws {
            let stage = try await Stage(lan: 60)
            var fields = try await stage.fields()
            fields["tlsFingerprint"] = try await stage.leaf()
            let folder = try ScratchFolder()
            let file = stage.folder.path("code.json")
            try JSONSerialization.data(withJSONObject: fields).write(to: URL(filePath: file))
            let (device, host) = (stage.device, "join.clawradar.test")
            let certified = try await LabProcess([Lab.tool("certify"), folder.path("certificates"), host])
                .finish(within: .seconds(20))
            try #require(certified.status == 0, "\(certified.errors)")
            func mount(_ path: String, _ place: String) async throws {
                let mounted = try await Lab.run(on: device.host.name, "mount", "--bind", path, place)
                try #require(mounted.status == 0, "\(mounted.errors)")
            }
            try Data("127.0.0.1 localhost \(host)\n".utf8).write(to: URL(filePath: folder.path("hosts")))
            try await mount(folder.path("hosts"), "/etc/hosts")
            for (how, port) in [("stranger", 8_010), ("lose", 8_011), ("hang", 8_012), ("once", 8_013)] {
                let log = stage.folder.path("fetched-tls-\(how)")
                let mode = how == "stranger" ? "once" : how
                let certificate = folder.path("certificates/\(host).pem")
                let server = try Lab.start(
                    on: device.host.name,
                    [Lab.tool("join-server"), mode, "\(port)", log, file, certificate]
                )
                _ = try await server.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                if how == "lose" {
                    try await mount(folder.path("certificates/authority.pem"), "/etc/ssl/certs/ca-certificates.crt")
                }
                let start = ContinuousClock.now
                let time = how == "hang" ? "3" : "20"
                let url = "https://\(host):\(port)/claw/j/once"
                let result = try await device.run(["pair", url, "--yes", "--timeout", time])
                let took = ContinuousClock.now - start
                let fetched = (try? String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count) ?? 0
                #expect(fetched == (how == "stranger" ? 0 : 1), "\(how): \(fetched), \(result.errors)")
                #expect(result.status == (how == "once" ? 0 : 1), "\(how): \(result.errors)")
                switch how {
                case "stranger": #expect(result.errors.contains("Nothing was fetched"), "\(result.errors)")
                case "lose": #expect(result.errors.contains("the answer was lost"), "\(result.errors)")
                case "hang":
                    #expect(result.errors.contains("get a new one") && took < .seconds(6), "\(took): \(result.errors)")
                default: break
                }
                try await server.stop()
            }
            try await stage.gateway.stop()
        }

        /// From the Return key after `pair CODE` to a connected session, whoever keeps it: an agent, or `connect`. With
        /// `CLAWRADAR_LAB_LONG` twenty times each, and the goal is checked: 95 % within a second.
        @Test(arguments: [false, true]) func aCodeConnectsAtOnce(withAgent: Bool) async throws {
            let stage = try await Stage(lan: withAgent ? 79 : 78)
            let leaf = try await stage.leaf()
            let run = stage.folder.path("run")
            let device = try LabDevice(
                on: stage.device.host,
                environment: ["XDG_RUNTIME_DIR=\(run)", "XDG_CONFIG_HOME=\(stage.folder.path("config"))"]
            )
            let agent = withAgent ? try Lab.start(on: device.host.name, device.command(["agent"])) : nil
            if let agent { try await AgentLabTests.waitForSocket("\(run)/clawradar/agent.sock", agent) }
            let watch = try SessionWatch(of: device)

            var times: [Duration] = []
            for _ in 0..<(Lab.isLong ? 20 : 3) {
                var fields = try await stage.fields()
                fields["tlsFingerprint"] = leaf
                let code = try Self.code(fields)
                let start = ContinuousClock.now
                let paired = try await device.run(["pair", code, "--yes", "--name", "Claw"])
                try #require(paired.status == 0, "\(paired.errors)")
                times.append(try await watch.next("Claw", "connected", within: .seconds(10)) - start)
                let unpaired = try await device.run(["unpair", "Claw", "--yes"])
                try #require(unpaired.status == 0, "\(unpaired.errors)")
            }
            times.sort()
            let slow = times[times.count * 95 / 100]
            let keeper = withAgent ? "with" : "without"
            print("from a code to connected, \(keeper) an agent: median \(times[times.count / 2]), p95 \(slow)")
            #expect(slow <= .seconds(Lab.isLong ? 1 : 4))
            try await watch.stop()
            try await agent?.stop()
            try await stage.gateway.stop()
        }

        /// On the host of a gateway that demands codes, the link has one that works once, and whoever made it is told who has
        /// used it. The token of the device that made it is not in it.
        @Test func aLinkWithASecretThatWorksOnce() async throws {
            let home = try await LabHost.add("coded-home", .bare, lan: 59)
            let away = try await LabHost.add("coded-away", .bare, lan: 59)
            let folder = try ScratchFolder.private()
            let state = folder.path("gateway.json")
            let gateway = LabGateway(
                "Coded",
                on: home,
                isPlain: false,
                ["--no-advertise", "--pairing", "code", "--state", state]
            )
            try await gateway.start(port: 4_000)
            // It listens for devices first.
            let isThere = await InProcess.wait(within: .seconds(10)) {
                FileManager.default.fileExists(atPath: "\(state).socket")
            }
            #expect(isThere)
            let made = try await Lab.run(on: home.name, [Lab.referenceGateway, "code", "--state", state])
            let code = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            try #require(made.status == 0 && !code.isEmpty, "\(made.errors)")
            let first = try LabDevice(on: home)
            try await first.pair(
                "\(home.address):4000",
                ["--code-file", try SecretFile(folder.path("code"), code).path]
            )

            // Elsewhere nothing is asked, and a socket that is not there is said.
            let control = "\(state).socket"
            let absent = try await first.run(["link", "--control", folder.path("none")])
            #expect(absent.status == 69, "\(absent.errors)")
            let link = try Lab.start(on: home.name, first.command(["link", "--control", control]))
            let text = try await link.line(within: .seconds(10), "the link") { $0.contains("token=") }.text
            for token in try await first.tokens() { #expect(!text.contains(token)) }
            let other = try LabDevice(on: away)
            let paired = try await other.run(["pair", text, "--yes", "--timeout", "20"])
            #expect(paired.status == 0, "\(paired.errors)")
            let result = try await link.finish(within: .seconds(10))
            #expect(result.status == 0 && result.errors.contains("the link was used by “"), "\(result.errors)")
            let again = try LabDevice(on: away)
            let refused = try await again.run(["pair", text, "--yes", "--timeout", "20"])
            #expect(refused.status != 0, "\(refused.output)")
            let quick = try await first.run(["link", "--no-wait", "--control", control, "--format", "json"])
            #expect(quick.status == 0 && quick.output.contains("\"hasSecret\":true"), "\(quick.output)")
            try await gateway.stop()
        }

        /// At an OpenClaw gateway, an owner makes setup codes, which lead to the address that it has verified and name the
        /// certificate: another device pairs by one without a question, and the code works once.
        @Test func anOwnerMakesASetupCode() async throws {
            struct Link: Decodable {
                let link: String
                let code: String?
                let access: String?
            }
            let home = try await LabHost.add("owned-home", .bare, lan: 84)
            let away = try await LabHost.add("owned-away", .bare, lan: 84)
            let folder = try ScratchFolder()
            let shared = try SecretFile(folder.path("token"))
            let gateway = LabGateway(
                "Owned",
                on: home,
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "auto", "--token-file", shared.path]
            )
            try await gateway.start(port: 4_000)
            let owner = try LabDevice(on: away)
            try await owner.pair("\(home.address):4000", ["--token-file", shared.path, "--as-owner"])
            for (options, access) in [([], "limited"), (["--full"], "full")] {
                let made = try await owner.run(["link", "--no-wait", "--format", "json"] + options)
                try #require(made.status == 0, "\(made.errors)")
                let link = try JSONDecoder().decode(Link.self, from: Data(made.output.utf8))
                #expect(link.access == access && link.link.hasPrefix("oc-pair://"), "\(made.output)")
                // OpenClaw's own programs take the code alone, and refuse a gateway with TLS whose certificate it does not name.
                let code = try #require(link.code)
                #expect(link.link == "oc-pair://\(code)")
                #expect(try Self.text(of: code).contains(#""tlsFingerprint":""#))
                for token in try await owner.tokens() { #expect(!made.output.contains(token)) }
                let other = try LabDevice(on: away)
                let paired = try await other.run(["pair", link.link, "--yes", "--timeout", "20"])
                #expect(paired.status == 0, "\(paired.errors)")
                let again = try await LabDevice(on: away).run(["pair", link.link, "--yes", "--timeout", "20"])
                #expect(again.status != 0, "\(again.output)")
                // Whoever has made the link is told who comes by it.
                let words = ["link", "--wait", "--format", "json"] + options
                let waiting = try Lab.start(on: away.name, owner.command(words))
                let first = try await waiting.line(within: .seconds(10), "the link") { $0.contains("oc-pair://") }
                let told = try JSONDecoder().decode(Link.self, from: Data(first.text.utf8))
                let guest = try LabDevice(on: away)
                let came = try await guest.run(["pair", told.link, "--yes", "--timeout", "20"])
                #expect(came.status == 0, "\(came.errors)")
                let end = try await waiting.finish(within: .seconds(10))
                #expect(end.status == 0 && end.output.contains(#""use":"paired""#), "\(end)")
                // Who is no owner gets a link without a secret, and no code by asking for one.
                let open = try await other.run(["link", "--format", "json"])
                #expect(open.status == 0 && open.output.contains("\"hasSecret\":false"), "\(open)")
                #expect(try await other.run(["link", "--full"]).status == 64)
            }
            try await gateway.stop()
        }

        /// A link to a paired gateway holds no secret, and is enough for another device, without a question of trust: it
        /// names the certificate. Its QR code fits an ordinary terminal, and a narrow one is told how to get it.
        @Test func aLinkForAnotherDevice() async throws {
            struct Link: Decodable {
                let link: String
                let hasSecret: Bool
            }
            let home = try await LabHost.add("linked-home", .bare, lan: 77)
            let device = try LabDevice(on: try await LabHost.add("linked-user", .bare, lan: 77))
            let folder = try ScratchFolder()
            let none = try await device.run(["link"])
            #expect(none.status == 1 && none.errors.contains("nothing is paired"), "\(none.errors)")
            let gateways = ["Attic", "Bath"].map { LabGateway($0, on: home, isPlain: false) }
            for (port, gateway) in gateways.enumerated() { try await gateway.start(port: 5_000 + port) }
            try await device.pair("Attic")
            let made = try await device.run(["link", "--format", "json"])
            let link = try JSONDecoder().decode(Link.self, from: Data(made.output.utf8))
            #expect(link.link.hasPrefix("optaplus://pair?host=\(home.address)&port=5000&fp=") && !link.hasSecret)
            for token in try await device.tokens() { #expect(!made.output.contains(token)) }
            let other = try LabDevice(on: device.host)
            let paired = try await other.run(["pair", link.link, "--yes", "--timeout", "20"])
            #expect(paired.status == 0, "\(paired.errors)")
            #expect(try await other.pairings().map(\.name) == ["Attic"])

            let svg = folder.path("attic.svg")
            let pictured = try await device.run(["link", "Attic", "--svg", svg])
            #expect(pictured.status == 0 && pictured.output == link.link, "\(pictured)")
            #expect(try String(contentsOfFile: svg, encoding: .utf8).contains("<path fill=\"#000\""))
            let unwritten = try await device.run(["link", "Attic", "--svg", "/nonexistent/attic.svg"])
            #expect(unwritten.status == 74, "\(unwritten.errors)")
            for (columns, fits) in [(80, true), (40, false)] {
                let words = device.command(["link"]).map { "'\($0)'" }.joined(separator: " ")
                let shell = "stty cols \(columns) rows 24; \(words)"
                let shown = try await Lab.run(on: device.host.name, "script", "-qec", shell, "/dev/null")
                #expect(shown.output.contains("\u{2584}") == fits, "\(shown.output)")
                #expect(shown.output.contains("--svg FILE") != fits, "\(shown.output)")
            }
            try await device.pair("Bath")
            let several = try await device.run(["link"])
            #expect(several.status == 64 && several.errors.contains("“Bath”"), "\(several.errors)")
            for gateway in gateways { try await gateway.stop() }
        }
    }
}
