import Foundation
import Testing

/// A device with a pairing of every kind, its gateways, and a host on which impostors of these gateways run.
final class ImpostorStage {
    /// A function that ends an attack.
    typealias End = @Sendable () async throws -> Void

    /// A way to pretend to be the paired gateways.
    struct Attack: Sendable {
        let title: String
        /// The kinds of pairing that are attacked, as names of their gateways; `nil` for all.
        var targets: Set<String>?
        /// The kinds of pairing that send their token to this impostor, since the user has consented to that with
        /// `--trust`.
        var consented: Set<String> = []
        /// The session states that the user must see, by the names of the gateways.
        var expectedStates: [String: String] = [:]
        /// Starts the attack, which logs the received secrets in the file.
        let begin: @Sendable (PairedKind, SecretLogFile) async throws -> End
    }

    /// An attack on one pairing, with the file in which the received secrets are logged.
    private struct Attempt: Sendable {
        let attack: Attack
        let kind: PairedKind
        let log: SecretLogFile

        init(_ attack: Attack, on kind: PairedKind, _ log: SecretLogFile) {
            (self.attack, self.kind, self.log) = (attack, kind, log)
        }

        var isConsented: Bool { attack.consented.contains(kind.name) }
    }

    let kinds: [PairedKind]
    let victims: LabHost
    let mallory: LabHost
    let router: LabHost
    let device: LabDevice
    let gateways: [LabGateway]
    let watch: SessionWatch
    let tokens: [String]
    /// The fingerprint of each gateway by its name. It is public, so that an impostor can advertise it too.
    let fingerprints: [String: String]
    private let folder: ScratchFolder

    /// The attacks so far, as rows of a table. For each kind of pairing, a row tells whether a secret was sent, and the
    /// session state that the user saw.
    private(set) var rows: [[String]] = []

    /// The explanations that the user saw with the states.
    private(set) var sentences: Set<String> = []

    init(_ name: String, lan: Int) async throws {
        folder = try ScratchFolder()
        let hosts = try await LabHost.add(
            [("\(name)-gateways", .bare, 1), ("\(name)-mallory", .bare, 1), ("\(name)-router", .bare, 1)]
                + [("\(name)-device", .avahi, 1)],
            lan: lan
        )
        (victims, mallory, router) = (hosts[0], hosts[1], hosts[2])
        try await hosts[3].ip("route add default via \(router.address) dev eth0")
        kinds = PairedKind.all(token: try SecretFile(folder.path("token")))
        gateways = kinds.map { [folder, victims] in $0.gateway(on: victims, in: folder) }
        _ = try await Array(zip(gateways, kinds)).atOnce { try await $0.start(port: $1.port) }
        device = try LabDevice(on: hosts[3])
        for kind in kinds { try await device.pair(kind.name, kind.pairingOptions) }
        let pairings = try await device.pairings()
        tokens = pairings.flatMap(\.credentials).compactMap(\.token)
        fingerprints = Dictionary(uniqueKeysWithValues: pairings.map { ($0.name, $0.fingerprint ?? "") })
        watch = try SessionWatch(of: device)
        try #require(Set(tokens).count == kinds.count)
        await expectAllConnected()
    }

    /// Waits until the sessions with all gateways are connected.
    func expectAllConnected() async {
        let began = ContinuousClock.now - .seconds(20)
        for kind in kinds {
            let isConnected = try? await watch.settles(kind.name, "connected", within: .seconds(20))
            guard isConnected != true else { continue }
            let condition = await condition(of: kind)
            Issue.record(
                "\(kind.name) is not connected:\n\(watch.transcript(of: kind.name, since: began))\n\(condition)"
            )
        }
    }

    /// Returns whether the gateway of a kind runs, and what a probe on its own host finds: a client cannot be blamed for a
    /// gateway that answers nobody.
    private func condition(of kind: PairedKind) async -> String {
        guard let process = gateways.first(where: { $0.name == kind.name })?.running else {
            return "its gateway is stopped"
        }
        guard process.isRunning else { return "its gateway has ended by itself: \(process.errorText)" }
        let probe = try? await Lab.run(on: victims.name, Lab.clawradar, "probe", "127.0.0.1:\(kind.port)")
        let log = process.errorText.split(separator: "\n").suffix(20).joined(separator: "\n")
        let answer = probe?.output ?? "nothing"
        return "its gateway runs; a probe on its own host says:\n\(answer)\nits log ends in:\n\(log)"
    }

    /// Stops the gateways of these names; all if `nil`.
    func stop(_ names: Set<String>? = nil) async throws {
        let named = gateways.filter { names?.contains($0.name) ?? true }
        _ = try await named.atOnce { try await $0.stop() }
    }

    /// Starts the gateways of these names again, with the same state; all if `nil`.
    func start(_ names: Set<String>? = nil) async throws {
        let named = zip(gateways, kinds).filter { names?.contains($1.name) ?? true }
        _ = try await named.atOnce { try await $0.start(port: $1.port) }
    }

    /// Runs several attacks concurrently for a while, checks that no token was sent without consent, and adds their
    /// rows to the table.
    func attack(_ attacks: Attack..., for time: Duration = .seconds(4)) async throws {
        let began = ContinuousClock.now
        let attempts = attacks.enumerated().flatMap { number, attack in
            kinds.filter { attack.targets?.contains($0.name) ?? true }.map { kind in
                Attempt(attack, on: kind, SecretLogFile(folder.path("\(rows.count + number) of \(kind.name)")))
            }
        }
        let ends = try await attempts.atOnce { try await $0.attack.begin($0.kind, $0.log) }
        for attempt in attempts where attempt.isConsented {
            _ = await InProcess.wait(within: .seconds(10)) { !attempt.log.lines.isEmpty }
        }
        for (name, state) in attacks.flatMap(\.expectedStates) {
            let isShown = try await watch.first(name, state, after: began) != nil || watch.last(name)?.state == state
            guard !isShown, let kind = kinds.first(where: { $0.name == name }) else { continue }
            let (transcript, condition) = (watch.transcript(of: name, since: began), await condition(of: kind))
            Issue.record("\(attacks[0].title): \(name) is never \(state)\n\(transcript)\n\(condition)")
        }
        try await Scenario.letTimePass(time)
        for attack in attacks {
            let cells = kinds.map { kind -> String in
                let attempt = attempts.first { $0.attack.title == attack.title && $0.kind.name == kind.name }
                guard let attempt else { return "-" }
                let isGiven = !attempt.log.lines.isEmpty
                #expect(
                    isGiven == attempt.isConsented,
                    "\(attack.title): \(kind.name)\n\(watch.transcript(of: kind.name, since: began))"
                )
                let shown = watch.last(kind.name)
                if let shown { sentences.insert("\(shown.state): \(shown.reason ?? "-")") }
                return "\(isGiven ? "given" : "nothing"), \(shown?.state ?? "no state")"
            }
            rows.append([attack.title] + cells)
        }
        _ = try await ends.atOnce { try await $0() }
        try await restoreRevokedPairings()
    }

    /// Restores pairings from the bin that an impostor has revoked. Only an impostor that the user's `--trust` covers
    /// can revoke a pairing.
    private func restoreRevokedPairings() async throws {
        for kind in kinds where watch.last(kind.name)?.state == "revoked" {
            let restored = try await device.run(["restore", kind.name])
            #expect(restored.status == 0, "restore \(kind.name): \(restored.errors)")
        }
    }

    /// Stops everything, and checks that the attacks have changed no pairing and no token.
    func finish() async throws {
        try await watch.stop()
        #expect(try await device.tokens() == tokens, "the pairings or their tokens have changed")
        try await stop()
    }
}

// MARK: Ways to pretend

extension ImpostorStage {
    /// Returns the start of another reference gateway that claims to be the victim. It has no pairings, and therefore
    /// answers every device with *not paired*.
    ///
    /// - Parameters:
    ///   - host: The host that it runs on.
    ///   - isPlain: Indicates whether it accepts connections without TLS; by default it does as the victim.
    ///   - suffix: The text that follows the name of the victim in its own name.
    ///   - offset: The difference of its port from that of the victim.
    func gateway(
        on host: LabHost,
        isPlain: Bool? = nil,
        suffix: String = "",
        offset: Int = 0
    ) -> @Sendable (PairedKind, SecretLogFile) async throws -> End {
        { [fingerprints] kind, log in
            let claim = kind.isOpenClaw ? [] : ["--fp", fingerprints[kind.name] ?? "none"]
            let impostor = LabGateway(
                kind.name + suffix,
                on: host,
                listen: "0.0.0.0",
                isPlain: isPlain ?? kind.isPlain,
                kind.gatewayOptions + claim + ["--log-secrets", log.path]
            )
            try await impostor.start(port: kind.port + offset)
            return { try await impostor.stop() }
        }
    }

    /// Returns the start of the tool `impostor`, which is advertised as the victim.
    ///
    /// - Parameters:
    ///   - host: The host that it runs on.
    ///   - mode: `refuse` or `relay`.
    ///   - arguments: Returns more arguments of the tool for a kind of pairing.
    func tool(
        on host: LabHost,
        _ mode: String,
        _ arguments: @escaping @Sendable (PairedKind) -> [String]
    ) -> @Sendable (PairedKind, SecretLogFile) async throws -> End {
        { [fingerprints] kind, log in
            let tool = try Lab.start(
                on: host.name,
                [Lab.tool("impostor"), mode, "\(kind.port)", log.path] + arguments(kind)
            )
            _ = try await tool.line(within: .seconds(15), "message that it is ready") { $0 == "ready" }
            let tls = kind.isPlain ? [] : ["--txt", "gatewayTls=1"]
            let claim =
                kind.isOpenClaw
                ? ["--type", "_openclaw-gw._tcp", "--txt", "role=gateway", "--txt", "gatewayPort=\(kind.port)"]
                : ["--fp", fingerprints[kind.name] ?? "none"]
            let advertisement = try Lab.start(
                on: host.name,
                [Lab.clawradar, "advertise", "--name", kind.name, "--port", "\(kind.port)"] + claim + tls
            )
            _ = try await advertisement.line(within: .seconds(15), "message that it is published") {
                $0.contains("published")
            }
            return {
                try await advertisement.stop()
                try await tool.stop(SIGKILL)
            }
        }
    }
}
