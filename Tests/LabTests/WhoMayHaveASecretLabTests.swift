import Foundation
import Testing

extension LabTests {
    /// The guide *Who may have a secret*: each secret, each way to somebody else, at each time, for `--yes` and for a
    /// person, from what the receivers have logged.
    ///
    /// The guide is compared line by line. To write it, copy the lines that the tests print.
    @Suite struct WhoMayHaveASecretLabTests {
        typealias Way = SecretStage.Way
        typealias Typed = SecretStage.Typed

        @Test func theGuideHasALineForEveryWay() throws {
            let guide = try SecretsGuide()
            for table in SecretsGuide.Table.allCases {
                let lines = guide.lines(of: table)
                #expect(lines.first == "| | " + table.columns.joined(separator: " | ") + " |", "\(table.rawValue)")
                let ways = lines.dropFirst().map { $0.split(separator: " | ").first.map { String($0.dropFirst(2)) } }
                #expect(Set(ways) == Set(SecretsGuide.Way.allCases.map(\.rawValue)), "\(table.rawValue)")
                #expect(ways.count == SecretsGuide.Way.allCases.count, "\(table.rawValue)")
            }
        }

        /// Somebody else has the place of the right gateways.
        @Test func somebodyElseAtItsPlace() async throws {
            let stage = try await Self.stage("place", lan: 90, SecretStage.plainKinds())
            let (home, tls) = (stage.home, stage.kinds.filter { !$0.isPlain })

            let otherLeaves = try stage.receivers(of: tls, on: home)
            try await stage.play(
                .changedLeaf,
                Way(
                    logs: otherLeaves.map(\.log),
                    sessions: Set(tls.map(\.name)),
                    typed: { $0.moment == .first ? try stage.typedWithLeaf($0) : try stage.typedWithName($0) },
                    begin: stage.begin(otherLeaves)
                )
            )
            let withoutTLS = try stage.receivers(of: tls, on: home, isPlain: true)
            try await stage.play(
                .withoutTLS,
                Way(
                    logs: withoutTLS.map(\.log),
                    sessions: Set(tls.map(\.name)),
                    typed: { attempt in
                        var typed =
                            attempt.moment == .first
                            ? try stage.typedWithLeaf(attempt) : try stage.typedWithName(attempt)
                        // The user allows all that options can allow.
                        typed.arguments += ["--trust", "address", "--send-in-clear"]
                        return typed
                    },
                    begin: stage.begin(withoutTLS)
                )
            )
            let renewed = try stage.receivers(of: tls, on: home) { kind in
                ["--state", try stage.state(of: kind) { $0["tls"] = nil }]
            }
            try await stage.play(
                .renewedSelfSigned,
                Way(
                    logs: renewed.map(\.log),
                    sessions: Set(tls.map(\.name)),
                    typed: { $0.moment == .first ? nil : try stage.typedWithName($0) },
                    begin: stage.begin(renewed)
                )
            )
            try await Self.playOtherFingerprints(on: stage)
            try await stage.stop()
        }

        /// Another gateway is at the place, or behind the certificate, of the right one.
        private static func playOtherFingerprints(on stage: SecretStage) async throws {
            let address = stage.home.address
            let plain = stage.kinds.filter(\.isPlain)
            let others = try stage.receivers(of: plain, on: stage.home) { _ in ["--pairing", "code", "--fp", "another"]
            }
            try await stage.play(
                .otherFingerprint,
                Way(
                    logs: others.map(\.log),
                    sessions: Set(plain.map(\.name)),
                    typed: { attempt in
                        // Gateways of OpenClaw tell no fingerprint.
                        guard attempt.secret == .code else { return nil }
                        guard attempt.moment == .first else {
                            return Typed(["\(address):4400", "--trust", "address"], attempt.text)
                        }
                        let known = stage.pairings["Address"]?.fingerprint ?? ""
                        let link = "optaplus://pair?host=\(address)&port=4400&fp=\(known)&token=\(attempt.text)"
                        return Typed([link, "--trust", "address"], nil)
                    },
                    begin: stage.begin(others)
                )
            )
            let code = stage.kinds.filter { $0.name == PairingSecret.code.gatewayName }
            let behind = try stage.receivers(of: code, on: stage.home) { kind in
                ["--state", try stage.state(of: kind), "--fp", "another"]
            }
            try await stage.play(
                .otherBehindLeaf,
                Way(
                    logs: behind.map(\.log),
                    sessions: Set(code.map(\.name)),
                    typed: { attempt in
                        guard attempt.secret == .code else { return nil }
                        return attempt.moment == .first
                            ? try stage.typedWithLeaf(attempt) : try stage.typedWithName(attempt)
                    },
                    begin: stage.begin(behind)
                )
            )
        }

        /// The right gateways are there, and the way leads elsewhere: to a proxy, or away from the place of a code.
        @Test func theRightOneIsThere() async throws {
            let stage = try await Self.stage("beside", lan: 91)
            let (home, mallory) = (stage.home, stage.mallory)
            let proxy = SecretLogFile(stage.folder.path("proxy"))
            try await stage.play(
                .proxy,
                Way(
                    logs: [proxy],
                    sessions: Set(stage.kinds.map(\.name)),
                    environment: ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"]
                        .map { "\($0)=http://\(mallory.address):3128" },
                    typed: { attempt in
                        let place = "\(home.address):\(attempt.secret.port)"
                        return try SecretStage.typed(attempt, [place], codeFor: "wss://\(place)")
                    },
                    begin: {
                        let command = [Lab.tool("impostor"), "proxy", "3128", proxy.path]
                        let process = try Lab.start(on: mallory.name, command)
                        _ = try await process.line(within: .seconds(15), "message that it is ready") { $0 == "ready" }
                        return { try await process.stop(SIGKILL) }
                    }
                )
            )
            #expect(proxy.lines.isEmpty, "the proxy was asked")

            let setup = stage.kinds.filter { $0.name == PairingSecret.setupCode.gatewayName }
            let others = try stage.receivers(of: setup, on: mallory) { _ in ["--name", "Mallory"] }
            try await stage.play(
                .otherURL,
                Way(
                    logs: others.map(\.log),
                    typed: { attempt in
                        guard attempt.secret == .setupCode else { return nil }
                        let port = attempt.secret.port
                        let code = try attempt.setupCode(url: "wss://\(home.address):\(port)")
                        return Typed([attempt.moment == .first ? "Mallory" : "\(mallory.address):\(port)"], code)
                    },
                    begin: stage.begin(others, beside: true)
                )
            )
            try await stage.stop()
        }

        /// Somebody else uses the names of the right gateways, which take 700 ms to answer, and answers first.
        @Test func aNamesakeThatAnswersFirst() async throws {
            let near = try await LabHost.add([("name-mallory", .bare, 1), ("name-device", .avahi, 1)], lan: 92)
            let far = try await LabHost.add("name-home", .bare, lan: 93)
            let address = "10.220.92.2"
            let link = try LabProcess(
                [Lab.tool("slow-link"), "name-device", "10.220.92.1/24", "name-home", "\(address)/24", "--delay", "85"]
            )
            _ = try await link.line(within: .seconds(10), "message that the link is ready") { $0 == "ready" }
            let home = try await LabHost(far.name, .bare)
            let stage = try await SecretStage(
                home: home,
                mallory: near[0],
                device: near[1],
                kinds: { try SecretStage.kinds(in: $0) },
                place: { [$0.name] },
                url: { "wss://\(address):\($0.port)" }
            )
            let others = try stage.receivers(of: stage.kinds, on: near[0])
            try await stage.play(
                .namesake,
                Way(
                    logs: others.map(\.log),
                    sessions: Set(stage.kinds.map(\.name)),
                    typed: { attempt in
                        let url = "wss://\(address):\(attempt.secret.port)"
                        return try SecretStage.typed(attempt, [attempt.secret.gatewayName], codeFor: url)
                    },
                    begin: stage.begin(others, beside: true)
                )
            )
            try await stage.stop()
        }

        /// The address of the right gateways leads through another tunnel, to somebody else.
        @Test func anotherTunnel() async throws {
            let home = try await LabHost.add("tunnel-home", .bare, lan: 94)
            let mallory = try await LabHost.add("tunnel-mallory", .bare, lan: 95)
            let device = try await LabHost.add("tunnel-device", .avahi, lan: 96)
            let address = "10.8.0.1"
            let tunnel = { @Sendable (host: LabHost) in
                let ends = [device.name, "10.8.0.2/24", host.name, "\(address)/24", "--interface", "tun0", "--tunnel"]
                let link = try LabProcess([Lab.tool("slow-link")] + ends)
                _ = try await link.line(within: .seconds(10), "message that the tunnel is ready") { $0 == "ready" }
                return link
            }
            let right = try await tunnel(home)
            let stage = try await SecretStage(
                home: home,
                mallory: mallory,
                device: device,
                kinds: {
                    try SecretStage.kinds(in: $0, ["--no-advertise"]) + SecretStage.plainKinds(["--no-advertise"])
                },
                place: { ["\(address):\($0.port)"] + $0.pairingOptions },
                url: { "wss://\(address):\($0.port)" }
            )
            let others = try stage.receivers(of: stage.kinds, on: mallory) { kind in
                stage.pairings[kind.name]?.fingerprint.map { ["--fp", $0] } ?? []
            }
            _ = try await others.atOnce { try await $0.gateway.start(port: $0.port) }
            try await stage.play(
                .tunnel,
                Way(
                    logs: others.map(\.log),
                    sessions: Set(stage.kinds.map(\.name)),
                    typed: { attempt in
                        // Before the first pairing, nothing is known of the gateway at that address.
                        guard attempt.moment == .again else { return nil }
                        let place = "\(address):\(attempt.secret.port)"
                        return try SecretStage.typed(attempt, [place], codeFor: "wss://\(place)")
                    },
                    begin: {
                        try await right.stop(SIGKILL)
                        let wrong = try await tunnel(mallory)
                        return { try await wrong.stop(SIGKILL) }
                    }
                )
            )
            _ = try await others.atOnce { try await $0.gateway.stop() }
            try await stage.stop()
        }

        // MARK: Stages

        /// Returns a stage on one LAN, whose gateways are called by their names.
        private static func stage(_ name: String, lan: Int, _ kinds: [PairedKind] = []) async throws -> SecretStage {
            let hosts = try await LabHost.add(
                [("\(name)-home", .bare, 1), ("\(name)-mallory", .bare, 1), ("\(name)-router", .bare, 1)]
                    + [("\(name)-device", .avahi, 1)],
                lan: lan
            )
            try await hosts[3].ip("route add default via \(hosts[2].address) dev eth0")
            return try await SecretStage(
                home: hosts[0],
                mallory: hosts[1],
                device: hosts[3],
                kinds: { try SecretStage.kinds(in: $0) + kinds },
                place: { [$0.name] + $0.pairingOptions },
                url: { "wss://\(hosts[0].address):\($0.port)" }
            )
        }
    }
}
