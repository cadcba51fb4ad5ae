import Foundation

/// A secret that a device gives to a gateway in order to be paired.
enum PairingSecret: String, CaseIterable, Sendable {
    case code = "one-time code"
    case token = "shared token"
    case password
    case setupCode = "setup code"

    /// The option for a file with it.
    var option: String {
        switch self {
        case .code: "--code-file"
        case .token: "--token-file"
        case .password: "--password-file"
        case .setupCode: "--setup-code-file"
        }
    }

    /// The name of the gateway that demands it.
    var gatewayName: String {
        switch self {
        case .code: "Code"
        case .token: "Token"
        case .password: "Password"
        case .setupCode: "Setup"
        }
    }

    /// The host name of that gateway, where it has one.
    var hostName: String { "\(gatewayName.lowercased()).clawradar.test" }

    /// The port of that gateway.
    var port: Int {
        switch self {
        case .code: 4_000
        case .token: 4_100
        case .password: 4_200
        case .setupCode: 4_300
        }
    }

    /// The word for it in the lists from which a person chooses what to give.
    var choice: String {
        switch self {
        case .code: "code"
        case .token: "token"
        case .password: "password"
        case .setupCode: "setup code"
        }
    }
}

/// One run of `clawradar pair`, with a secret that no other run has. A receiver's log therefore shows which run gave it
/// away.
struct PairingAttempt: Sendable {
    /// The one who agrees.
    enum Consent: String, CaseIterable, Sendable {
        /// `--yes`: nobody sees what would be asked.
        case inAdvance = "--yes"
        /// A person at a terminal, who agrees to everything.
        case person = "a person"
    }

    /// The time of the attempt.
    enum Moment: String, CaseIterable, Sendable {
        case first
        /// The device is paired with the right gateway, which it has lost.
        case again
    }

    let secret: PairingSecret
    let moment: Moment
    let consent: Consent

    /// The secret. Of a setup code, the token in it.
    let text = (0..<16).map { _ in String(UInt8.random(in: 16 ... .max), radix: 16) }.joined()

    var title: String { "\(secret.rawValue), \(moment.rawValue), \(consent.rawValue)" }

    func isOf(_ secret: PairingSecret, _ moment: Moment, _ consent: Consent) -> Bool {
        self.secret == secret && self.moment == moment && self.consent == consent
    }

    /// One attempt for each secret, moment and consent.
    static var all: [PairingAttempt] {
        PairingSecret.allCases.flatMap { secret in
            Moment.allCases.flatMap { moment in
                Consent.allCases.map { PairingAttempt(secret: secret, moment: moment, consent: $0) }
            }
        }
    }

    /// Returns a setup code with this secret.
    func setupCode(url: String, leaf: String? = nil) throws -> String {
        try Self.setupCode(
            ["url": url, "bootstrapToken": text].merging(leaf.map { ["tlsFingerprint": $0] } ?? [:]) { $1 }
        )
    }

    /// Returns a copy of a setup code with another URL.
    static func setupCode(_ code: String, url: String) throws -> String {
        let base64 = code.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        var fields = try JSONDecoder().decode(
            [String: String].self,
            from: Data(base64Encoded: base64 + padding) ?? Data()
        )
        fields["url"] = url
        return try setupCode(fields)
    }

    private static func setupCode(_ fields: [String: String]) throws -> String {
        try JSONEncoder().encode(fields).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
