import Foundation
import Testing

extension LabTests {
    /// A gateway of OpenAgents behind a TLS front, as users deploy it, with one token for all devices: paired, restarted,
    /// with another token, and impersonated; and without TLS, where its token goes nowhere unseen.
    @Suite struct OpenAgentsLabTests {
        /// The port at which OpenAgents is expected, here that of the front; and that of the gateway behind it.
        private static let (port, gatewayPort) = (9_099, 9_098)
        private static let name = "Agents"

        /// A gateway on a host behind a front, which logs the secrets that it receives.
        private struct House {
            let gateway: LabGateway
            let front: LabFront
            let log: SecretLogFile
            let token: SecretFile

            init(on host: LabHost, named hostName: String? = nil, _ folder: ScratchFolder) throws {
                token = try SecretFile(folder.path("\(host.name).token"))
                log = SecretLogFile(folder.path("\(host.name).ndjson"))
                let options = ["--dialect", "openagents", "--no-advertise", "--log-secrets", log.path]
                gateway = LabGateway(OpenAgentsLabTests.name, on: host, listen: "127.0.0.1", options)
                let route = LabFront.Route(
                    port: OpenAgentsLabTests.port,
                    path: "/",
                    gatewayPort: OpenAgentsLabTests.gatewayPort
                )
                front = try LabFront(on: host, named: hostName, [route])
            }

            /// Starts both.
            func start() async throws {
                try await front.certify()
                try await startGateway(token.path)
                try await front.start()
            }

            /// Starts the gateway alone.
            func startGateway(_ token: String) async throws {
                try await gateway.start(port: OpenAgentsLabTests.gatewayPort, ["--token-file", token])
            }

            func stop() async throws {
                try await front.stop()
                try await gateway.stop()
            }
        }

        private static func isKept(_ watch: SessionWatch, _ moment: String) async throws {
            let isConnected = try await watch.settles(name, "connected", within: .seconds(75))
            #expect(isConnected, "\(moment): \(watch.last(name)?.reason ?? "-")\n\(watch.lastLog)")
        }

        /// Both mostly wait until a gateway may be asked again: in networks of their own, they do so at once.
        @Test func aPinnedGatewayIsKeptAndAnotherTokenIsSaid() async throws {
            async let pinned: Void = Self.aPinnedGatewayIsKept()
            try await Self.anotherTokenIsSaidAndNotTriedInALoop()
            try await pinned
        }

        /// Paired by the digits of the front's certificate, and kept through a restart; whoever takes its address with
        /// another certificate gets not a byte.
        private static func aPinnedGatewayIsKept() async throws {
            let names = ["agents-home", "agents-pad", "agents-fake"]
            let hosts = try await LabHost.add(names.map { ($0, .bare, 1) }, lan: 64)
            let folder = try ScratchFolder()
            let home = try House(on: hosts[0], folder)
            try await home.start()
            let device = try LabDevice(on: hosts[1])
            let address = try await Lab.address(hosts[0].name)
            let leaf = try await home.front.leaf()
            let place = "\(address):\(Self.port)"

            // Its token is not sent unseen to a certificate that nobody has given, and a wrong one is told as such.
            let given = ["pair", place, "--yes", "--name", Self.name, "--timeout", "20"]
            let unproved = try await device.run(given + ["--token-file", home.token.path])
            #expect(unproved.status == 64 && unproved.errors.contains("--certificate \(leaf)"), "\(unproved.errors)")
            #expect(home.log.secrets.isEmpty, "\(home.log.lines)")
            let other = try SecretFile(folder.path("other.token"))
            let wrong = try await device.run(given + ["--certificate", leaf, "--token-file", other.path])
            #expect(wrong.status == 1 && wrong.errors.contains("hung up"), "\(wrong.errors)")
            let paired = try await device.run(given + ["--certificate", leaf, "--token-file", home.token.path])
            try #require(paired.status == 0, "\(paired.errors)")
            let tokens = try await device.tokens()
            #expect(tokens == [try String(contentsOfFile: home.token.path, encoding: .utf8)])

            let watch = try SessionWatch(of: device, ["--verbose"])
            try await Self.isKept(watch, "after pairing")
            try await home.gateway.stop()
            #expect(try await watch.settles(Self.name, "gone", within: .seconds(20)), "\(watch.lastLog)")
            try await home.startGateway(home.token.path)
            try await Self.isKept(watch, "after a restart")

            // Its address leads to a gateway behind a front with another certificate.
            let fake = try House(on: hosts[2], folder)
            try await home.stop()
            try await hosts[0].ip("address delete \(address)/16 dev eth0")
            try await hosts[2].ip("address add \(address)/16 brd + dev eth0")
            try await fake.start()
            let isSeen = try await watch.settles(Self.name, "changed-certificate", within: .seconds(75))
            #expect(isSeen, "\(watch.last(Self.name)?.state ?? "-") \(watch.lastLog)")
            let again = try await device.run(["pair", place, "--yes", "--timeout", "20"])
            let isConflict =
                again.errors.contains("found as a paired gateway") && again.errors.contains("Nothing was asked")
            #expect(again.status == 1 && isConflict, "\(again.errors)")
            try await fake.stop()
            #expect(fake.log.secrets.isEmpty, "\(fake.log.lines)")
            try await hosts[2].ip("address delete \(address)/16 dev eth0")
            try await hosts[0].ip("address add \(address)/16 brd + dev eth0")
            try await home.startGateway(home.token.path)
            try await home.front.start()
            try await Self.isKept(watch, "after the impostor")
            #expect(try await device.tokens() == tokens)
            try await watch.stop()
            try await home.stop()
        }

        /// The gateway gets another token: that is said, the pairing stays, and the old token is not sent there in a loop.
        /// With its former token the gateway is connected again, and with a new one once that was given.
        private static func anotherTokenIsSaidAndNotTriedInALoop() async throws {
            let hosts = try await LabHost.add([("agents-other", .bare, 1), ("agents-desk", .bare, 1)], lan: 68)
            let folder = try ScratchFolder()
            let home = try House(on: hosts[0], folder)
            try await home.start()
            let device = try LabDevice(on: hosts[1])
            let place = "\(hosts[0].address):\(Self.port)"
            try await device.pair(place, ["--name", Self.name, "--token-file", home.token.path])
            let tokens = try await device.tokens()
            let watch = try SessionWatch(of: device, ["--verbose"])
            try await Self.isKept(watch, "after pairing")

            let other = try SecretFile(folder.path("other.token"))
            func isRefused(_ moment: String) async {
                let isSaid = await InProcess.wait(within: .seconds(40)) {
                    watch.last(Self.name)?.reason?.contains("hung up") == true
                }
                let last = watch.last(Self.name)
                #expect(isSaid, "\(moment): \(last?.state ?? "-") \(last?.reason ?? "") \(watch.lastLog)")
            }
            try await home.gateway.stop()
            let before = home.log.secrets.count
            try await home.startGateway(other.path)
            await isRefused("with another token")
            let refused = ContinuousClock.now
            let doctor = try await device.run(["doctor", Self.name, "--format", "json"])
            #expect(doctor.output.contains("token-wrong"), "\(doctor.output)")
            try await home.gateway.stop()
            try await home.startGateway(home.token.path)
            try await Self.isKept(watch, "with its former token")
            #expect(.now - refused > .seconds(50), "\(watch.transcript(of: Self.name, since: refused))")
            // Once to the one with another token, and once to the one with the former.
            #expect(home.log.secrets.count == before + 2, "\(home.log.lines)")
            #expect(try await device.tokens() == tokens)

            try await home.gateway.stop()
            try await home.startGateway(other.path)
            await isRefused("with another token again")
            let given = ContinuousClock.now
            let paired = try await device.run(["pair", place, "--yes", "--token-file", other.path, "--timeout", "20"])
            try #require(paired.status == 0, "\(paired.errors)")
            let isConnected = try await watch.settles(Self.name, "connected", within: .seconds(20))
            #expect(isConnected, "\(watch.last(Self.name)?.reason ?? "-") \(watch.lastLog)")
            print("openagents: connected \(.now - given) after the new token was given")
            #expect(try await device.tokens() == [try String(contentsOfFile: other.path, encoding: .utf8)])
            try await watch.stop()
            try await home.stop()
        }

        /// A host name for which an authority vouches is all the proof that its token needs.
        @Test func aCertifiedGatewayIsKept() async throws {
            let host = "agents.clawradar.test"
            let hosts = try await LabHost.add([("agents-named", .bare, 1), ("agents-user", .bare, 1)], lan: 65)
            let folder = try ScratchFolder()
            let home = try House(on: hosts[0], named: host, folder)
            try await home.start()
            let hostsFile = folder.path("hosts")
            let lines = "127.0.0.1 localhost\n\(hosts[0].address) \(host)\n"
            try Data(lines.utf8).write(to: URL(fileURLWithPath: hostsFile))
            for (file, place) in [
                (hostsFile, "/etc/hosts"), (home.front.authority, "/etc/ssl/certs/ca-certificates.crt"),
            ] {
                let mounted = try await Lab.run(on: hosts[1].name, "mount", "--bind", file, place)
                try #require(mounted.status == 0, "\(mounted.errors)")
            }
            let device = try LabDevice(on: hosts[1])
            for subject in ["wss://\(host):\(Self.port)", "\(host):\(Self.port)"] {
                let arguments = ["pair", subject, "--yes", "--name", Self.name, "--timeout", "20"]
                let paired = try await device.run(arguments + ["--token-file", home.token.path])
                try #require(paired.status == 0, "\(subject): \(paired.errors)")
            }
            let shown = try await device.run(["pairings", "--format", "json"]).output
            #expect(shown.contains("\"kind\":\"certified\""), "\(shown)")
            #expect(try await device.tokens() == [try String(contentsOfFile: home.token.path, encoding: .utf8)])
            let watch = try SessionWatch(of: device, ["--verbose"])
            try await Self.isKept(watch, "after pairing")
            // A renewal is noticed by nobody.
            try await home.front.stop()
            #expect(try await watch.settles(Self.name, "gone", within: .seconds(20)), "\(watch.lastLog)")
            try await home.front.certify()
            try await home.front.start()
            try await Self.isKept(watch, "after a renewal")
            try await watch.stop()
            try await home.stop()
        }

        /// Without TLS the token goes nowhere unless somebody at a terminal has seen the gateway and wants it sent in clear:
        /// with `--yes` nobody has, and without a terminal nobody can be asked.
        @Test func theTokenOfAPlainGatewayIsNotSentUnseen() async throws {
            let hosts = try await LabHost.add([("agents-plain", .bare, 1), ("agents-phone", .bare, 1)], lan: 67)
            let folder = try ScratchFolder()
            let token = try SecretFile(folder.path("token"))
            let log = SecretLogFile(folder.path("secrets.ndjson"))
            let options = ["--dialect", "openagents", "--token-file", token.path, "--log-secrets", log.path]
            let gateway = LabGateway(Self.name, on: hosts[0], options)
            try await gateway.start(port: Self.port)
            let device = try LabDevice(on: hosts[1])
            for subject in ["\(hosts[0].address):\(Self.port)", Self.name] {
                for more in [[], ["--trust", "address"], ["--trust", "address", "--send-in-clear", "--yes"]] {
                    let arguments = ["pair", subject, "--token-file", token.path, "--timeout", "20"] + more
                    let refused = try await device.run(arguments)
                    #expect(
                        [1, 64].contains(refused.status),
                        "\(subject) \(more): \(refused.output) \(refused.errors)"
                    )
                }
            }
            #expect(try await device.pairings().isEmpty)
            #expect(log.secrets.isEmpty, "\(log.lines)")
            try await gateway.stop()
        }
    }
}
