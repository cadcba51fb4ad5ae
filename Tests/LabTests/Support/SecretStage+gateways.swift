import Foundation
import Testing

/// The gateways of a stage, and somebody else's.
extension SecretStage {
    /// A gateway that logs the secrets that it receives.
    struct Receiver: Sendable {
        let gateway: LabGateway
        let port: Int
        let log: SecretLogFile
    }

    /// Returns the gateways that demand a secret, one for each.
    static func kinds(
        in folder: ScratchFolder,
        isPlain: Bool = false,
        offset: Int = 0,
        _ options: [String] = []
    ) throws -> [PairedKind] {
        let openClaw = ["--dialect", "openclaw", "--approve", "auto"]
        return try PairingSecret.allCases.map { secret in
            let demand: [String] =
                switch secret {
                case .code: ["--pairing", "code"]
                case .token, .password:
                    openClaw + [secret.option, try SecretFile(folder.path(secret.gatewayName + " secret")).path]
                case .setupCode: openClaw
                }
            return PairedKind(
                title: secret.rawValue,
                name: secret.gatewayName,
                port: secret.port + offset,
                isPlain: isPlain,
                gatewayOptions: demand + options,
                pairingOptions: []
            )
        }
    }

    /// Returns the gateways without TLS, which give a token to each device.
    static func plainKinds(_ options: [String] = []) -> [PairedKind] {
        [("Address", 4_400, "address"), ("Lan", 4_500, "lan")].map { name, port, trust in
            PairedKind(
                title: "plain, \(trust)",
                name: name,
                port: port,
                isPlain: true,
                gatewayOptions: options,
                pairingOptions: ["--trust", trust]
            )
        }
    }

    /// Creates gateways of somebody else that claim to be others.
    ///
    /// - Parameters:
    ///   - kinds: The gateways that they claim to be.
    ///   - isPlain: Indicates whether they have no TLS; by default they do as the right ones.
    ///   - options: More options of each.
    func receivers(
        of kinds: [PairedKind],
        on host: LabHost,
        isPlain: Bool? = nil,
        _ options: (PairedKind) throws -> [String] = { _ in [] }
    ) throws -> [Receiver] {
        try kinds.map { kind in
            let log = SecretLogFile(folder.path(UUID().uuidString))
            let gateway = LabGateway(
                kind.name,
                on: host,
                listen: "0.0.0.0",
                isPlain: isPlain ?? kind.isPlain,
                kind.gatewayOptions + ["--log-secrets", log.path] + (try options(kind))
            )
            return Receiver(gateway: gateway, port: kind.port, log: log)
        }
    }

    /// Returns the start of receivers, in place of the right gateways or beside them.
    func begin(_ receivers: [Receiver], beside: Bool = false) -> @Sendable () async throws -> End {
        { [self] in
            if !beside { try await stop() }
            _ = try await receivers.atOnce { try await $0.gateway.start(port: $0.port) }
            return { [self] in
                _ = try await receivers.atOnce { try await $0.gateway.stop() }
                if !beside { try await start() }
            }
        }
    }

    /// Returns a copy of the state of a right gateway, changed as JSON.
    func state(of kind: PairedKind, _ change: (inout [String: Any]) -> Void = { _ in }) throws -> String {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("\(kind.name).json")))
        var state = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        change(&state)
        let json = try JSONSerialization.data(withJSONObject: state)
        return try SecretFile(folder.path(UUID().uuidString), String(decoding: json, as: UTF8.self)).path
    }

    /// The input for an attempt that gives the secret as itself; for a setup code, of a code for a place.
    static func typed(_ attempt: PairingAttempt, _ arguments: [String], codeFor url: String) throws -> Typed {
        Typed(arguments, attempt.secret == .setupCode ? try attempt.setupCode(url: url) : attempt.text)
    }

    /// The input for an attempt with the gateway that has this name.
    func typedWithName(_ attempt: PairingAttempt) throws -> Typed {
        let url = "wss://\(home.address):\(attempt.secret.port)"
        return try Self.typed(attempt, [attempt.secret.gatewayName], codeFor: url)
    }

    /// The input for a first pairing with a gateway at an address, whose certificate is given: in a link, in a setup
    /// code, or with `--certificate`.
    func typedWithLeaf(_ attempt: PairingAttempt) throws -> Typed {
        let leaf = pairings[attempt.secret.gatewayName]?.trust.leafSha256 ?? ""
        let place = "\(home.address):\(attempt.secret.port)"
        return switch attempt.secret {
        case .code:
            Typed(
                ["optaplus://pair?host=\(home.address)&port=\(attempt.secret.port)&fp=\(leaf)&token=\(attempt.text)"],
                nil
            )
        case .token, .password: Typed([place, "--certificate", leaf], attempt.text)
        case .setupCode: Typed([place], try attempt.setupCode(url: "wss://\(place)", leaf: leaf))
        }
    }
}
