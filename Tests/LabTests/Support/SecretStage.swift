import Foundation
import Testing

/// A LAN with a gateway for each secret, a device that is paired with all of them, and the host of somebody else.
final class SecretStage: Sendable {
    /// A function that ends something.
    typealias End = @Sendable () async throws -> Void

    /// A way by which secrets could come to a receiver.
    struct Way: Sendable {
        /// The files in which the receivers log.
        let logs: [SecretLogFile]
        /// The names of the gateways whose sessions could be led to the receivers.
        var sessions: Set<String> = []
        /// Variables of the environment of the device, as `NAME=VALUE`.
        var environment: [String] = []
        /// Returns what is typed for an attempt; `nil` if the way cannot occur then.
        let typed: @Sendable (PairingAttempt) throws -> Typed?
        /// Opens the way.
        let begin: @Sendable () async throws -> End
    }

    /// The words that are typed for an attempt to pair.
    struct Typed: Sendable {
        /// The gateway, and options.
        var arguments: [String]
        /// The secret in the file, or at the prompt; `nil` if the arguments contain it.
        var secret: String?

        init(_ arguments: [String], _ secret: String?) {
            (self.arguments, self.secret) = (arguments, secret)
        }
    }

    /// The time for which sessions are led to the receivers.
    private static let patience = Duration.seconds(4)

    let folder: ScratchFolder
    let home: LabHost
    let mallory: LabHost
    let kinds: [PairedKind]
    /// The pairing with each gateway, by the name of the gateway. OpenClaw gateways tell no name, so that those that were
    /// paired by address have another name there.
    let pairings: [String: LabDevice.Pairing]
    private let gateways: [LabGateway]
    private let device: LabDevice

    /// Starts the gateways, and pairs the device with each, as a person does who sees the right gateway.
    ///
    /// - Parameters:
    ///   - kinds: Returns the gateways, whose files are in a folder.
    ///   - place: Returns the arguments of `clawradar pair` that mean one of them.
    ///   - url: Returns the URL of a gateway for setup codes.
    init(
        home: LabHost,
        mallory: LabHost,
        device: LabHost,
        kinds: (ScratchFolder) throws -> [PairedKind],
        place: (PairedKind) -> [String],
        url: (PairedKind) -> String
    ) async throws {
        folder = try ScratchFolder()
        (self.home, self.mallory) = (home, mallory)
        self.kinds = try kinds(folder)
        gateways = self.kinds.map { [folder] in $0.gateway(on: home, in: folder, log: Self.log(of: $0, in: folder)) }
        _ = try await Array(zip(gateways, self.kinds)).atOnce { try await $0.start(port: $1.port) }
        self.device = try LabDevice(on: device)
        var pairings: [String: LabDevice.Pairing] = [:]
        for (kind, gateway) in zip(self.kinds, gateways) {
            let secret = try await Self.secret(of: kind, gateway, url(kind), in: folder)
            let result = try await Self.person(
                on: self.device,
                ["pair"] + place(kind) + ["--timeout", "20"],
                giving: PairingSecret.allCases.first { $0.gatewayName == kind.name },
                in: secret
            )
            if result.status == 69, kind.isPlain {
                // Nothing can be trusted without TLS there.
                print("not paired with \(kind.name): \(result.output)")
                continue
            }
            try #require(result.status == 0, "pair \(place(kind)): \(result.output)")
            let known = Set(pairings.values.map(\.id))
            pairings[kind.name] = try await self.device.pairings().first { !known.contains($0.id) }
        }
        self.pairings = pairings
    }

    /// Returns the file with the secret that a gateway demands: one with which it was started, or one that it has
    /// printed; `nil` if it demands none.
    private static func secret(
        of kind: PairedKind,
        _ gateway: LabGateway,
        _ url: String,
        in folder: ScratchFolder
    ) async throws -> String? {
        // It prints its code after the line for which its start waits.
        var shown: Substring? { gateway.running?.lines.compactMap { $0.text.firstMatch(of: /code: (\S+)/)?.1 }.first }
        let path = folder.path("\(kind.name) secret")
        switch PairingSecret.allCases.first(where: { $0.gatewayName == kind.name }) {
        case .code:
            _ = await InProcess.wait(within: .seconds(10)) { shown != nil }
            return try SecretFile(path, String(try #require(shown))).path
        case .token, .password: return path
        case .setupCode:
            _ = await InProcess.wait(within: .seconds(10)) { shown != nil }
            // It names the host in .local, which the device would have to look up.
            return try SecretFile(path, try PairingAttempt.setupCode(String(try #require(shown)), url: url)).path
        case nil: return nil
        }
    }

    /// The file in which the right gateway logs what it receives.
    func log(of kind: PairedKind) -> SecretLogFile { Self.log(of: kind, in: folder) }

    private static func log(of kind: PairedKind, in folder: ScratchFolder) -> SecretLogFile {
        SecretLogFile(folder.path("received by \(kind.name)"))
    }

    /// Starts the gateways.
    func start() async throws {
        _ = try await Array(zip(gateways, kinds)).atOnce { try await $0.start(port: $1.port) }
    }

    /// Stops the gateways.
    func stop() async throws {
        _ = try await gateways.atOnce { try await $0.stop() }
    }

    // MARK: Playing

    /// Opens a way while sessions are connected; pairs, for the first time and again; lets the sessions begin again, as
    /// after an outage; closes the way; and compares what the receivers have logged with the guide.
    func play(_ title: SecretsGuide.Way, _ way: Way) async throws {
        let tokens = pairings.mapValues { $0.credentials.compactMap(\.token) }
        let kinds = kinds.filter { way.sessions.contains($0.name) && pairings[$0.name] != nil }

        var watch = try SessionWatch(of: device, environment: way.environment)
        for kind in kinds {
            let name = pairings[kind.name]?.name ?? ""
            #expect(try await watch.settles(name, "connected"), "\(title): \(kind.name): \(watch.lastLog)")
        }
        var known = way.logs.map(\.lines.count)
        func new() -> [Substring] { zip(way.logs, known).flatMap { $0.lines.dropFirst($1) } }
        let end = try await way.begin()
        try await Scenario.letTimePass(Self.patience)
        let live = new()
        show(title, "live", kinds, watch)
        try await watch.stop()

        let attempts = try PairingAttempt.all.compactMap { attempt in try way.typed(attempt).map { (attempt, $0) } }
        let results = try await attempts.atOnce { [self] in try await run($0, $1, way.environment) }
        let received = way.logs.flatMap(\.lines)
        for ((attempt, typed), result) in zip(attempts, results) {
            let said = (result.output + result.errors).split(separator: "\n").suffix(2).joined(separator: " / ")
            let isGiven = received.contains { $0.contains(attempt.text) } ? "SENT" : "nothing"
            print("\(attempt.title): \(isGiven), \(typed.arguments): status \(result.status): \(said)")
        }

        known = way.logs.map(\.lines.count)
        watch = try SessionWatch(of: device, environment: way.environment)
        try await Scenario.letTimePass(Self.patience)
        let late = new()
        show(title, "after an outage", kinds, watch)
        try await watch.stop()
        try await end()

        let outcomes = zip(attempts, results).map { attempt, result in
            Outcome(attempt.0, isGiven: received.contains { $0.contains(attempt.0.text) }, result)
        }
        for outcome in outcomes { outcome.check() }
        let sessions = [false, true].map { isOpenClaw in
            let names = kinds.filter { $0.isOpenClaw == isOpenClaw }.map(\.name)
            return [live, late].map { lines in
                let given = names.filter { name in
                    lines.contains { line in tokens[name]?.contains { line.contains($0) } ?? false }
                }
                if names.isEmpty { return "—" }
                return given.isEmpty ? "nothing" : given == names ? "sent" : "sent to \(given.joined(separator: ", "))"
            }.joined(separator: " / ")
        }
        func pairing(_ consent: PairingAttempt.Consent) -> [String] {
            PairingSecret.allCases.map { secret in
                PairingAttempt.Moment.allCases.map { moment in
                    outcomes.first { $0.attempt.isOf(secret, moment, consent) }?.word ?? "—"
                }.joined(separator: " / ")
            }
        }
        try SecretsGuide().compare(
            title,
            [.inAdvance: pairing(.inAdvance), .person: pairing(.person), .sessions: sessions]
        )
    }

    /// The outcome of an attempt.
    private struct Outcome {
        let attempt: PairingAttempt
        let isGiven: Bool
        let result: LabProcess.Result

        init(_ attempt: PairingAttempt, isGiven: Bool, _ result: LabProcess.Result) {
            (self.attempt, self.isGiven, self.result) = (attempt, isGiven, result)
        }

        var word: String {
            switch (isGiven, attempt.consent) {
            case (false, _): "nothing"
            case (true, .inAdvance): "sent"
            case (true, .person): "after `y`"
            }
        }

        /// Checks that a person was asked, and that it was not a mistake of the test that nothing was sent.
        func check() {
            if isGiven, attempt.consent == .person {
                #expect(result.output.contains("[y/N] y"), "\(attempt.title): nobody was asked:\n\(result.output)")
            }
            let text = result.output + result.errors
            let mistakes = [
                "Usage:", "no gateway called", "expected a setup code, found something else", "no answer about",
            ]
            let mistake = isGiven ? nil : mistakes.first { text.contains($0) }
            #expect(mistake == nil && result.status != 70, "\(attempt.title): \(text)")
        }
    }

    private func show(_ title: SecretsGuide.Way, _ time: String, _ kinds: [PairedKind], _ watch: SessionWatch) {
        for kind in kinds {
            let shown = watch.last(pairings[kind.name]?.name ?? "")
            print("\(kind.name), \(time): \(shown?.state ?? "no state"), \(shown?.reason ?? "")")
        }
    }

    /// Runs one attempt with a store of its own: an empty one, or a copy of that of the paired device.
    private func run(
        _ attempt: PairingAttempt,
        _ typed: Typed,
        _ environment: [String]
    ) async throws -> LabProcess.Result {
        let user =
            switch attempt.moment {
            case .first: try LabDevice(on: device.host, environment: environment)
            case .again: try LabDevice(copyOf: device, environment: environment)
            }
        let file = try typed.secret.map { try SecretFile(folder.path(UUID().uuidString), $0).path }
        let arguments = ["pair"] + typed.arguments + ["--timeout", "15"]
        switch attempt.consent {
        case .inAdvance:
            return try await user.run(arguments + ["--yes"] + (file.map { [attempt.secret.option, $0] } ?? []))
        case .person:
            return try await Self.person(on: user, arguments, giving: attempt.secret, in: file)
        }
    }

    /// Runs the tool at a terminal, with a person who agrees to everything.
    private static func person(
        on user: LabDevice,
        _ arguments: [String],
        giving secret: PairingSecret?,
        in file: String?
    ) async throws -> LabProcess.Result {
        let choices = [secret?.choice, "at this address"].compactMap(\.self).flatMap { ["--choose", $0] }
        let person = [Lab.tool("person")] + choices + (file.map { ["--secret", $0] } ?? []) + ["--"]
        return try await Lab.run(on: user.host.name, person + user.command(arguments), within: .seconds(90))
    }
}
