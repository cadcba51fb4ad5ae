/// A proof of this device's right to a session, as it is sent in `auth` of `connect`.
package struct SessionCredential: Hashable, Sendable {
    /// A kind of credential.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// No credential, as in a request that finds out whether the gateway wants one.
        case none
        /// The token that a gateway gave this device at pairing. It gives this device's own access and no more.
        case deviceToken
        /// The shared token of a gateway, in OpenClaw's dialect. It gives more than this device's own access.
        case sharedToken
        /// The shared password of a gateway, in OpenClaw's dialect. It gives more than this device's own access.
        case password
        /// The token of a setup code, in OpenClaw's dialect, for a first pairing within ten minutes.
        case bootstrapToken
    }

    /// The kind of credential.
    package let kind: Kind

    /// The secret; `nil` where there is none.
    package let secret: Secret?

    private init(_ kind: Kind, _ secret: Secret?) {
        self.kind = kind
        self.secret = secret
    }

    /// The absence of a credential: no secret is sent.
    package static let none = SessionCredential(.none, nil)

    /// Returns the credential of a device token: see ``Kind/deviceToken``.
    package static func deviceToken(_ secret: Secret) -> SessionCredential { SessionCredential(.deviceToken, secret) }

    /// Returns the credential of a gateway's shared token: see ``Kind/sharedToken``.
    package static func sharedToken(_ secret: Secret) -> SessionCredential { SessionCredential(.sharedToken, secret) }

    /// Returns the credential of a gateway's shared password: see ``Kind/password``.
    package static func password(_ secret: Secret) -> SessionCredential { SessionCredential(.password, secret) }

    /// Returns the credential of a setup code's token: see ``Kind/bootstrapToken``.
    package static func bootstrapToken(_ secret: Secret) -> SessionCredential {
        SessionCredential(.bootstrapToken, secret)
    }

    /// Indicates whether a secret is sent.
    package var isSecret: Bool { secret != nil }
}
