import Foundation
import Testing

extension LabTests.WhoMayHaveASecretLabTests {
    /// The host names of the right gateways lead to somebody else, or their host answers with a redirect; and their
    /// certificates are renewed.
    @Test func hostNames() async throws {
        let hosts = try await LabHost.add(
            [("names-home", .bare, 1), ("names-mallory", .bare, 1), ("names-device", .bare, 1)],
            lan: 97
        )
        let (home, mallory) = (hosts[0], hosts[1])
        let names = try await NamedHosts(for: PairingSecret.allCases.map(\.hostName), at: home, on: hosts[2])
        let right = try await names.startFronts(on: home) { $0.hostName }
        let place = { @Sendable (secret: PairingSecret) in "wss://\(secret.hostName):\(secret.port)" }
        let typed = { @Sendable (attempt: PairingAttempt) throws -> Typed? in
            try SecretStage.typed(attempt, [place(attempt.secret)], codeFor: place(attempt.secret))
        }
        let url = { @Sendable (kind: PairedKind) in
            PairingSecret.allCases.first { $0.gatewayName == kind.name }.map(place) ?? ""
        }
        let stage = try await SecretStage(
            home: home,
            mallory: mallory,
            device: hosts[2],
            kinds: { try SecretStage.kinds(in: $0, isPlain: true, offset: 1, ["--no-advertise"]) },
            place: { [url($0)] },
            url: url
        )
        let sessions = Set(stage.kinds.map(\.name))
        let others = try stage.receivers(of: stage.kinds, on: mallory)
        _ = try await others.atOnce { try await $0.gateway.start(port: $0.port) }

        let begin = { @Sendable (certificate: @escaping @Sendable (PairingSecret) -> String) in
            { @Sendable () async throws -> SecretStage.End in
                try await stage.stop()
                let wrong = try await names.startFronts(on: mallory, certificate)
                try names.resolve(to: mallory)
                return {
                    try names.resolve(to: home)
                    _ = try await wrong.atOnce { try await $0.stop(SIGKILL) }
                    try await stage.start()
                }
            }
        }
        try await names.certify(mallory.address, NamedHosts.stranger)
        let ways: [(SecretsGuide.Way, String)] = [
            (.addressCertificate, mallory.address), (.movedName, NamedHosts.stranger),
        ]
        for (title, certificate) in ways {
            let logs = others.map(\.log)
            try await stage.play(
                title,
                Way(logs: logs, sessions: sessions, typed: typed, begin: begin { _ in certificate })
            )
        }

        let target = "wss://\(NamedHosts.stranger):"
        try await stage.play(
            .redirect,
            Way(logs: others.map(\.log), sessions: sessions, typed: typed) {
                try await stage.stop()
                try names.add(mallory)
                var processes = try await names.startFronts(on: mallory) { _ in NamedHosts.stranger }
                for kind in stage.kinds {
                    let command = [Lab.tool("impostor"), "redirect", "\(kind.port)", "/dev/null"]
                    let redirect = try Lab.start(on: home.name, command + ["\(target)\(kind.port - 1)/"])
                    _ = try await redirect.line(within: .seconds(15), "message that it is ready") { $0 == "ready" }
                    processes.append(redirect)
                }
                return { [processes] in
                    _ = try await processes.atOnce { try await $0.stop(SIGKILL) }
                    try names.resolve(to: home)
                    try await stage.start()
                }
            }
        )
        try await stage.play(
            .renewedCertified,
            Way(
                logs: stage.kinds.map { stage.log(of: $0) },
                sessions: sessions,
                typed: { $0.moment == .first ? nil : try typed($0) },
                begin: {
                    _ = try await right.atOnce { try await $0.stop(SIGKILL) }
                    for secret in PairingSecret.allCases { try await names.certify(secret.hostName) }
                    let renewed = try await names.startFronts(on: home) { $0.hostName }
                    return { _ = try await renewed.atOnce { try await $0.stop(SIGKILL) } }
                }
            )
        )
        _ = try await others.atOnce { try await $0.gateway.stop() }
        try await stage.stop()
    }
}
