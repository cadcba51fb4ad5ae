internal import DNSSD
package import GatewayProtocol
package import Pairing

/// A pairing with a gateway as this device stores it, without its secrets unless they are given.
package struct PairingReport: JSONReport {
    private let pairing: StoredPairing
    private let isSealed: Bool
    private let secrets: [CredentialID: Secret]?

    /// Creates the report of a pairing, which shows its secrets only if they are given.
    ///
    /// - Parameters:
    ///   - pairing: The pairing.
    ///   - isSealed: Whether its secrets cannot be decrypted now.
    ///   - secrets: The secrets of its credentials to show; `nil` leaves the `token` field out.
    package init(_ pairing: StoredPairing, isSealed: Bool = false, secrets: [CredentialID: Secret]? = nil) {
        self.pairing = pairing
        self.isSealed = isSealed
        self.secrets = secrets
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(pairing.id.description),
            "gateway": .string(pairing.gatewayID),
            "name": .string(pairing.name),
            "dialect": .string(pairing.dialect.rawValue),
            "trust": TrustReport(pairing.trust).json,
            "fingerprint": JSONValue(bytes: pairing.fingerprint?.bytes),
            "endpoints": JSONValue(pairing.endpoints.map(\.description)),
            "elsewhere": JSONValue(pairing.endpoints.filter(pairing.isElsewhere).map(\.description)),
            "remoteURL": JSONValue(pairing.remoteURL),
            "bots": .array(pairing.bots.map { PairedBotReport($0).json }),
            "connectsAutomatically": .bool(pairing.connectsAutomatically),
            "pairedAt": .string(Timestamp(milliseconds: pairing.pairedAt).description),
            "lastConnected": JSONValue(pairing.lastConnected.map { Timestamp(milliseconds: $0).description }),
            "credentials": .array(
                pairing.credentials.map { CredentialReport($0, isSealed: isSealed, secrets: secrets).json }
            ),
        ]
    }
}

/// The proof that a paired gateway must give before a token is sent to it.
package struct TrustReport: JSONReport, Hashable {
    private static let absent: [String: JSONValue] = [
        "leafSha256": .null, "host": .null, "network": .null, "tailnetNode": .null, "tunnel": .null,
    ]

    package private(set) var fields = Self.absent

    /// Reads the trust that was shown to a user; `nil` unless it is an object with a kind.
    ///
    /// - Parameter shown: The report. It stays as it was written, to be compared with another one.
    package init?(shown: JSONValue) {
        guard let object = shown.object, object["kind"]?.string != nil else { return nil }
        fields.merge(object) { $1 }
    }

    /// Creates the report of a trust policy.
    package init(_ trust: TrustPolicy) {
        fields["kind"] = .string(trust.word)
        switch trust {
        case .awaited: break
        case .pinned(let leaf): fields["leafSha256"] = .string(leaf.description)
        case .certified(let host): fields["host"] = .string(host)
        case .sameAddress(let network), .lan(let network): fields["network"] = Self.network(network)
        case .tailnet(let node): fields["tailnetNode"] = .string(node.key)
        case .tunnel(let tunnel): fields["tunnel"] = Self.tunnel(tunnel)
        }
    }

    private static func network(_ network: HomeNetwork) -> JSONValue {
        .object([
            "prefix": .string("\(network.prefix)/\(network.prefixLength)"),
            "router": network.router.isEmpty ? .null : .string(hardware(network.router)),
            "gateway": JSONValue(network.gateway.map(hardware)),
        ])
    }

    private static func tunnel(_ tunnel: NetworkTunnel) -> JSONValue {
        .object([
            "name": .string(tunnel.name), "kind": .string(tunnel.kind.rawValue),
            "address": .string(tunnel.address.description),
        ])
    }

    private static func hardware(_ bytes: [UInt8]) -> String {
        bytes.hexadecimal(separatedBy: ":")
    }
}

extension TrustPolicy {
    /// The policy as one word: `pinned`, `certified`, `address`, `lan`, `tailnet`, `tunnel`, or `awaited` before there is
    /// any. Those from `address` on are also values of `--trust`.
    package var word: String {
        switch self {
        case .awaited: "awaited"
        case .pinned: "pinned"
        case .certified: "certified"
        case .sameAddress: "address"
        case .lan: "lan"
        case .tailnet: "tailnet"
        case .tunnel: "tunnel"
        }
    }

    /// The value of `--trust` that accepts where a gateway without TLS is now, as narrowly as its pairing allows.
    package var acceptingWord: String {
        switch self {
        case .tailnet, .tunnel: word
        case .pinned, .certified, .sameAddress, .lan: "address"
        }
    }
}

/// A bot that this device is paired with, as it is stored.
package struct PairedBotReport: JSONReport {
    private let bot: StoredBot

    /// Creates the report of a stored bot.
    package init(_ bot: StoredBot) {
        self.bot = bot
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(bot.id.text),
            "name": .string(bot.name),
            "emoji": JSONValue(bot.emoji),
            "isArchived": .bool(bot.isArchived),
            "accentColor": JSONValue(bot.accentColor),
        ]
    }
}

/// A credential of a pairing.
package struct CredentialReport: JSONReport {
    private let credential: StoredCredential
    private let isSealed: Bool
    private let secrets: [CredentialID: Secret]?

    /// Creates the report of a credential, which shows its secret only if it is given.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - isSealed: Whether its secret cannot be decrypted now.
    ///   - secrets: The secrets to show; `nil` leaves the `token` field out.
    package init(_ credential: StoredCredential, isSealed: Bool = false, secrets: [CredentialID: Secret]? = nil) {
        self.credential = credential
        self.isSealed = isSealed
        self.secrets = secrets
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "id": .string(credential.id.description),
            "bots": JSONValue(credential.bots.map(\.text)),
            "generation": JSONValue(credential.generation),
            "createdAt": .string(Timestamp(milliseconds: credential.createdAt).description),
            "scopes": JSONValue(credential.scopes),
            "deviceID": .string(credential.deviceID),
            "isSealed": .bool(isSealed),
        ]
        if let secrets { fields["token"] = JSONValue(secrets[credential.id]?.revealed) }
        return fields
    }
}
