import Foundation
import Testing

extension LabTests {
    /// A pairing with a gateway outside of the LAN, at a host name: the gateway is trusted if it has a valid
    /// certificate of that host. The name is resolved anew for each connection.
    @Suite struct CertifiedLabTests {
        private static let host = "bot.clawradar.test"
        private static let otherHost = "mallory.clawradar.test"
        private static let name = "Far"

        /// The host names that a device can resolve, and the certificate authorities that it trusts.
        private struct DeviceEnvironment {
            let folder: ScratchFolder

            init(_ folder: ScratchFolder, on device: LabHost, at host: LabHost) async throws {
                self.folder = folder
                try resolveGateway(to: host)
                for (file, place) in [
                    ("hosts", "/etc/hosts"),
                    ("certificates/authority.pem", "/etc/ssl/certs/ca-certificates.crt"),
                ] {
                    let mounted = try await Lab.run(on: device.name, "mount", "--bind", folder.path(file), place)
                    try #require(mounted.status == 0, "\(mounted.errors)")
                }
            }

            /// Makes the name of the gateway resolve to the address of a host.
            func resolveGateway(to host: LabHost) throws {
                // The file is overwritten in place, since the bind mount refers to this file, not to its path.
                let text = "127.0.0.1 localhost\n\(host.address) \(CertifiedLabTests.host)\n"
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("hosts")), options: [])
            }
        }

        /// A gateway on this network that was named by its host is known by the certificate for that name: through a
        /// renewal of the certificate, here even by another authority, and at another address to which the name leads.
        @Test func aHostOfThisNetworkIsKnownByItsNameThroughARenewal() async throws {
            let (folder, files) = (try ScratchFolder(), try ScratchFolder())
            let hosts = try await LabHost.add(
                [("near-gateway", .bare, 1), ("near-other", .bare, 1), ("near-device", .bare, 1)],
                lan: 56
            )
            let certificates = folder.path("certificates")
            try await Self.certify(certificates, Self.host)
            let state = files.path("gateway.json")
            func start(on host: LabHost) async throws -> (LabGateway, LabProcess) {
                let options = ["--no-advertise", "--fp", "fp-near", "--state", state]
                let gateway = LabGateway(Self.name, on: host, listen: "127.0.0.1", options)
                try await gateway.start(port: 4_200)
                return (gateway, try await Self.startTLS(on: host, "\(certificates)/\(Self.host).pem"))
            }
            var (gateway, tls) = try await start(on: hosts[0])
            let device = try LabDevice(on: hosts[2])
            let environment = try await DeviceEnvironment(folder, on: device.host, at: hosts[0])
            try await device.pair("\(Self.host):4300")
            let shown = try await device.run(["pairings", "--format", "json"]).output
            #expect(shown.contains("\"kind\":\"certified\""), "\(shown)")

            for host in [hosts[0], hosts[1]] {
                _ = try await tls.stop()
                try await gateway.stop()
                try await Self.certify(certificates, Self.host)
                try environment.resolveGateway(to: host)
                (gateway, tls) = try await start(on: host)
                let watch = try SessionWatch(of: device)
                #expect(try await watch.settles(Self.name, "connected", within: .seconds(20)), "\(watch.lastLog)")
                try await watch.stop()
            }
            _ = try await tls.stop()
            try await gateway.stop()
        }

        /// A gateway that tells no name and was given by its address is called as its host is, and not by an address
        /// that says nothing to whoever reads it later.
        @Test func aGatewayWithoutANameIsCalledAsItsHost() async throws {
            let (folder, files) = (try ScratchFolder(), try ScratchFolder())
            let hosts = try await LabHost.add([("called-gateway", .bare, 1), ("called-device", .bare, 1)], lan: 57)
            try await Self.certify(folder.path("certificates"), Self.host)
            let token = try SecretFile(files.path("token"))
            let kind = try #require(PairedKind.all(token: token).first { $0.isOpenClaw })
            let gateway = LabGateway(Self.name, on: hosts[0], isPlain: false, ["--no-advertise"] + kind.gatewayOptions)
            try await gateway.start(port: 4_300)
            let device = try LabDevice(on: hosts[1])
            _ = try await DeviceEnvironment(folder, on: device.host, at: hosts[0])
            try await device.pair("\(hosts[0].address):4300", kind.pairingOptions)
            #expect(try await device.pairings().map(\.name) == [Self.host])
            try await gateway.stop()
        }

        private static func certify(_ folder: String, _ hosts: String...) async throws {
            let made = try await LabProcess([Lab.tool("certify"), folder] + hosts).finish(within: .seconds(20))
            try #require(made.status == 0, "\(made.errors)")
        }

        /// Starts a TLS terminator for the gateway of a host, with the certificate in a file.
        private static func startTLS(on host: LabHost, _ certificate: String) async throws -> LabProcess {
            let tls = try Lab.start(on: host.name, Lab.tool("tls-terminator"), "4300", "4200", certificate)
            _ = try await tls.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
            return tls
        }

        /// Waits until a number of further attempts to connect have failed.
        ///
        /// - Returns: `false` if they have not within the limit.
        private static func attempts(of watch: SessionWatch, fail times: Int) async -> Bool {
            let failed = { watch.process.errorText.components(separatedBy: "no session gateway=\(name)").count }
            let before = failed()
            return await InProcess.wait(within: .seconds(40)) { failed() >= before + times }
        }

        /// The name of the gateway's host is made to resolve to an impostor. No token may be sent to it, neither if it
        /// has a certificate of another authority or of another host, nor if it offers no TLS.
        @Test func noTokenIsSentWithoutAValidCertificateOfTheHost() async throws {
            let (folder, files) = (try ScratchFolder(), try ScratchFolder())
            let hosts = try await LabHost.add(
                [("far-gateway", .bare, 1), ("far-mallory", .bare, 1), ("far-device", .bare, 1)],
                lan: 54
            )
            let (home, mallory) = (hosts[0], hosts[1])
            let (trusted, untrusted) = (folder.path("certificates"), folder.path("others"))
            try await Self.certify(trusted, Self.host, Self.otherHost)
            try await Self.certify(untrusted, Self.host)
            let (given, stolen) = (SecretLogFile(files.path("given")), SecretLogFile(files.path("stolen")))
            for (host, log) in [(home, given), (mallory, stolen)] {
                let options = ["--no-advertise", "--fp", "fp-far", "--log-secrets", log.path]
                try await LabGateway(Self.name, on: host, listen: "127.0.0.1", options).start(port: 4_200)
            }
            var tls = try await Self.startTLS(on: home, "\(trusted)/\(Self.host).pem")
            let device = try LabDevice(on: hosts[2])
            let environment = try await DeviceEnvironment(folder, on: device.host, at: home)

            try await device.pair("optaplus://pair?remote=wss://\(Self.host):4300")
            let tokens = try await device.tokens()
            let watch = try SessionWatch(of: device, ["--verbose"])
            #expect(try await watch.settles(Self.name, "connected"), "\(watch.lastLog)")
            #expect(given.lines.contains { line in tokens.contains { line.contains($0) } }, "\(given.lines)")

            let attacks: [(String, certificate: String?, state: String)] = [
                ("the certificate of another authority", "\(untrusted)/\(Self.host).pem", "uncertified"),
                ("the certificate of another host", "\(trusted)/\(Self.otherHost).pem", "uncertified"),
                ("no TLS", nil, "gone"),
            ]
            for (title, certificate, state) in attacks {
                try environment.resolveGateway(to: mallory)
                _ = try await tls.stop()
                if let certificate {
                    tls = try await Self.startTLS(on: mallory, certificate)
                } else {
                    tls = try Lab.start(
                        on: mallory.name,
                        Lab.referenceGateway,
                        "--plain",
                        "--name",
                        Self.name,
                        "--port",
                        "4300",
                        "--no-advertise",
                        "--log-secrets",
                        stolen.path
                    )
                    _ = try await tls.line(within: .seconds(20), "message that it listens") { $0.contains("listens") }
                }
                #expect(await Self.attempts(of: watch, fail: 2), "\(title): \(watch.lastLog)")
                #expect(try await watch.settles(Self.name, state, within: .seconds(20)), "\(title): \(watch.lastLog)")
                let shown = watch.last(Self.name)
                print("\(title): \(shown?.state ?? "") \(shown?.reason ?? ""), given \(stolen.lines)")
                #expect(stolen.lines.isEmpty, "\(title)")

                _ = try await tls.stop()
                try environment.resolveGateway(to: home)
                tls = try await Self.startTLS(on: home, "\(trusted)/\(Self.host).pem")
                #expect(try await watch.settles(Self.name, "connected", within: .seconds(25)), "\(watch.lastLog)")
            }
            try await watch.stop()
            #expect(try await device.tokens() == tokens)
            _ = try await tls.stop()
        }
    }
}
