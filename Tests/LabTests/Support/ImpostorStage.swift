import Foundation
import Testing

/// A device with a pairing of every kind, its gateways, and a host from which somebody pretends to be them.
final class ImpostorStage {
    /// Ends a pretence.
    typealias End = @Sendable () async throws -> Void

    /// One way to pretend to be gateways.
    struct Attack: Sendable {
        let title: String
        /// The kinds of pairing that it is tried with, by the names of their gateways; all if not given.
        var targets: Set<String>?
        /// Those whose user consented to just that: they do give their token.
        var consented: Set<String> = []
        /// The states that the user comes to see.
        var shows: [String: String] = [:]
        /// Begins it, and notes in the file what is got by it.
        let begin: @Sendable (PairedKind, SecretLogFile) async throws -> End
    }

    /// An attack on one pairing, with the file in which what is got by it is noted.
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
    /// What each gateway says of itself that others may repeat, by its name.
    let fingerprints: [String: String]
    private let folder: ScratchFolder

    /// The attacks so far: each with what was given, and the state that the user saw, for each kind.
    private(set) var rows: [[String]] = []

    /// The sentences that the user saw with the states.
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
        await everybodyIsConnected()
    }

    /// Waits until nothing stands in the way of any session.
    func everybodyIsConnected() async {
        let began = ContinuousClock.now - .seconds(20)
        for kind in kinds {
            let isConnected = try? await watch.settles(kind.name, "connected", within: .seconds(20))
            #expect(isConnected == true, "\(kind.name) is not connected:\n\(watch.story(of: kind.name, since: began))")
        }
    }

    /// Stops the gateways, all of them if none are named.
    func stop(_ names: Set<String>? = nil) async throws {
        let named = gateways.filter { names?.contains($0.name) ?? true }
        _ = try await named.atOnce { try await $0.stop() }
    }

    /// Starts the gateways anew as those that they were.
    func start(_ names: Set<String>? = nil) async throws {
        let named = zip(gateways, kinds).filter { names?.contains($1.name) ?? true }
        _ = try await named.atOnce { try await $0.start(port: $1.port) }
    }

    /// Tries several attacks at once for a while, and notes what came of them.
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
        for (name, state) in attacks.flatMap(\.shows) {
            let isShown = try await watch.first(name, state, after: began) != nil || watch.last(name)?.state == state
            #expect(isShown, "\(attacks[0].title): \(name) is never \(state)\n\(watch.story(of: name, since: began))")
        }
        try await Scenario.lasts(time)
        for attack in attacks {
            let cells = kinds.map { kind -> String in
                let attempt = attempts.first { $0.attack.title == attack.title && $0.kind.name == kind.name }
                guard let attempt else { return "-" }
                let isGiven = !attempt.log.lines.isEmpty
                #expect(
                    isGiven == attempt.isConsented,
                    "\(attack.title): \(kind.name)\n\(watch.story(of: kind.name, since: began))"
                )
                let shown = watch.last(kind.name)
                if let shown { sentences.insert("\(shown.state): \(shown.reason ?? "-")") }
                return "\(isGiven ? "given" : "nothing"), \(shown?.state ?? "no state")"
            }
            rows.append([attack.title] + cells)
        }
        _ = try await ends.atOnce { try await $0() }
        try await restoreWhatWasTaken()
    }

    /// Takes out of the bin what was revoked by one whom the user trusts; nobody else has that power.
    private func restoreWhatWasTaken() async throws {
        for kind in kinds where watch.last(kind.name)?.state == "revoked" {
            let restored = try await device.run(["restore", kind.name])
            #expect(restored.status == 0, "restore \(kind.name): \(restored.errors)")
        }
    }

    /// Ends it; everything that was paired still is, with the same secrets.
    func finish() async throws {
        try await watch.stop()
        #expect(try await device.tokens() == tokens, "nothing is taken away")
        try await stop()
    }
}

// MARK: Ways to pretend

extension ImpostorStage {
    /// Another reference gateway that says it is the victim. It has no pairings, and so tells everybody that they are not paired.
    ///
    /// - Parameters:
    ///   - host: The host that it runs on.
    ///   - isPlain: Whether it is without TLS; as the victim if not given.
    ///   - suffix: What it adds to the name of the victim.
    ///   - offset: What it adds to its port.
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

    /// A tool of ours, which is advertised as the victim.
    ///
    /// - Parameters:
    ///   - host: The host that it runs on.
    ///   - mode: `refuse` or `relay`.
    ///   - arguments: More arguments of it.
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
            _ = try await tool.line(within: .seconds(15), "word that it is ready") { $0 == "ready" }
            let tls = kind.isPlain ? [] : ["--txt", "gatewayTls=1"]
            let claim =
                kind.isOpenClaw
                ? ["--type", "_openclaw-gw._tcp", "--txt", "role=gateway", "--txt", "gatewayPort=\(kind.port)"]
                : ["--fp", fingerprints[kind.name] ?? "none"]
            let advertisement = try Lab.start(
                on: host.name,
                [Lab.clawradar, "advertise", "--name", kind.name, "--port", "\(kind.port)"] + claim + tls
            )
            _ = try await advertisement.line(within: .seconds(15), "word that it is published") {
                $0.contains("published")
            }
            return {
                try await advertisement.stop()
                try await tool.stop(SIGKILL)
            }
        }
    }
}
