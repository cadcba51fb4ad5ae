extension SessionRefusal {
    /// A reason for a refusal. The raw value, for logs, stays the same from version to version.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        // Pairing.
        /// The device is not approved yet or, if it sent a device token, not approved any more.
        case notPaired
        /// The device is approved for another role, or its token was revoked.
        case roleUpgrade
        /// The device is approved for fewer scopes.
        case scopeUpgrade
        /// The device was approved with another platform or device family.
        case metadataUpgrade
        /// The gateway's operator has rejected the request for approval.
        case pairingRejected
        /// The request for approval has expired before anybody approved it.
        case pairingExpired
        /// The gateway's operator has denied the device.
        case pairingDenied
        /// Nobody has decided on the request in the time of the gateway.
        case pairingTimedOut
        /// The device has a token, and is not approved at present.
        case notApproved
        /// The token was valid for a time, which is over.
        case expired
        /// The gateway does not know the token any more.
        case revoked
        /// The gateway has ended the session: its token was withdrawn or rotated, or the device removed (close 4001).
        case removed
        /// The gateway only pairs with the one-time token of a link or code.
        case pairingTokenNeeded
        /// The one-time token is wrong, used or expired.
        case pairingTokenInvalid
        /// None of the requested bots exists.
        case unknownBots

        // Credentials.
        /// No token was sent, although the gateway demands one.
        case tokenMissing
        /// No password was sent, although the gateway demands one.
        case passwordMissing
        /// The shared token is wrong.
        case tokenMismatch
        /// The shared password is wrong.
        case passwordMismatch
        /// The device token is wrong: the gateway has withdrawn or replaced it.
        case deviceTokenMismatch
        /// The token of the setup code is used or expired.
        case bootstrapTokenInvalid
        /// More scopes are asked for than the token has.
        case scopeMismatch
        /// A request needs a scope that the session does not have.
        case scopeMissing
        /// Too many failed attempts: even the right credential is refused for a while.
        case rateLimited
        /// The shared token or password of the gateway has been changed (close 4001).
        case secretChanged

        // The device's proof.
        /// The gateway demands the proof of a device, and saw none.
        case deviceMissing
        /// The device's identifier does not fit its public key.
        case deviceIDMismatch
        /// The time of signing differs too much from the gateway's clock.
        case signatureExpired
        /// The gateway does not accept the signature.
        case signatureInvalid
        /// The proof has no nonce.
        case nonceMissing
        /// The nonce is not that of the challenge.
        case nonceMismatch
        /// The gateway does not accept the public key.
        case publicKeyInvalid

        // The request.
        /// The parameters of `connect` are invalid, or another request was sent before it.
        case malformedRequest
        /// The gateway speaks none of the protocol versions that were offered (also close 1002).
        case protocolMismatch
        /// The gateway does not accept the role that was asked for.
        case roleRefused
        /// The gateway does not accept the origin of the connection: it is open to certain web pages alone.
        case originRefused
        /// The gateway demands a verified user.
        case userUnverified
        /// The gateway denies the access of an operator.
        case accessDenied
        /// The gateway has no profile for the user who has authenticated.
        case profileUnavailable
        /// The gateway accepts only its own page, of the same build.
        case buildMismatch

        // The gateway.
        /// The gateway is still starting (also close 1013).
        case starting
        /// Another connection of the same device has the session now.
        case sessionReplaced
        /// The gateway restarts (close 1012).
        case restarting
        /// A message was too large for the gateway (close 1009).
        case tooLarge
        /// This device takes in messages too slowly for the gateway.
        case slow
        /// The gateway hung up when it had received the token, without a word: OpenAgents says so of a wrong token, and
        /// says nothing else of it.
        case hungUp
        /// The gateway's program failed (close 1011).
        case failed
        /// Two ticks were missed (close 4000).
        case silent
        /// The gateway closed the connection normally (close 1000 or 1001).
        case closed
        /// A reason that is not known here: only the gateway's message explains it.
        case refused
    }
}

extension SessionRefusal.Reason {
    typealias Credential = SessionCredential.Kind

    /// Reads the reason of an answer in OpenClaw's dialect: from `details.code`, otherwise from the message, since
    /// versions of January 2026 send no code there.
    init(openClaw failure: GatewayFailure, credential: Credential) {
        let details = failure.details
        let reason: Self
        if let code = details?["code"]?.string, let known = Self.codes[code] {
            reason = known
        } else if failure.code == "UNAVAILABLE" {
            reason = .starting
        } else {
            // Ports of the gateway put what OpenClaw has in `details.code` into the message or another detail.
            let texts = [failure.message] + ["authReason", "reason", "code"].compactMap { details?[$0]?.string }
            reason =
                texts.lazy.compactMap { Self(words: $0) }.first
                ?? (failure.code == "NOT_PAIRED" ? .notPaired : .refused)
        }
        self = reason.refined(by: details?["reason"]?.string, credential)
    }

    /// Reads the reason of an answer in the OptaPlus dialect.
    init(optaplus failure: GatewayFailure, credential: Credential) {
        switch failure.code {
        case "NOT_PAIRED": self = .revoked
        case "PAIRING_TOKEN_REQUIRED": self = .pairingTokenNeeded
        case "PAIRING_TOKEN_INVALID": self = .pairingTokenInvalid
        case "NOT_FOUND": self = .unknownBots
        case "RATE_LIMITED": self = .rateLimited
        case "UNAVAILABLE": self = .refused
        default: self = Self(words: failure.message) ?? .refused
        }
    }

    /// Reads the reason of a refusal of a Clawline provider.
    init(clawline reason: String) {
        self = Self.clawlineReasons[reason] ?? .refused
    }

    private static let clawlineReasons: [String: Self] = [
        "pair_rejected": .pairingRejected, "pair_denied": .pairingDenied, "pair_timeout": .pairingTimedOut,
        "auth_failed": .revoked, "token_revoked": .revoked, "token_expired": .expired,
        "device_not_approved": .notApproved, "rate_limited": .rateLimited, "session_replaced": .sessionReplaced,
        "invalid_message": .malformedRequest, "payload_too_large": .tooLarge, "server_error": .failed,
    ]

    /// Reads the reason of an error of a Clawdbot bridge, whose code stands for several: the message tells them apart.
    init(bridge code: String, message: String, credential: Credential) {
        let text = message.lowercased()
        switch code {
        case "NOT_PAIRED": self = credential == .deviceToken ? .revoked : .notPaired
        case "UNAUTHORIZED" where text.contains("invalid token"): self = .revoked
        case "UNAUTHORIZED" where text.contains("pairing rejected"): self = .pairingRejected
        case "UNAUTHORIZED" where text.contains("pairing expired"): self = .pairingTimedOut
        case "INVALID_REQUEST": self = .malformedRequest
        case "UNAVAILABLE": self = .failed
        default: self = .refused
        }
    }

    /// Reads the reason of a close; `nil` where the close code is unknown.
    init?(closeCode code: UInt16, text: String, dialect: GatewayDialect, credential: Credential) {
        guard dialect != .openAgents else {
            // Only those that say why a server of any kind ends a connection mean something.
            switch code {
            case 1_009: self = .tooLarge
            case 1_011: self = .failed
            case 1_012: self = .restarting
            case 1_013: self = .starting
            default: self = .closed
            }
            return
        }
        switch code {
        case 1_000, 1_001: self = .closed
        case 1_002: self = .protocolMismatch
        case 1_008:
            let known = Self(words: text) ?? .refused
            if dialect == .optaplus, known == .notPaired { self = .revoked } else { self = known }
        case 1_009: self = .tooLarge
        case 1_011: self = .failed
        case 1_012: self = .restarting
        case 1_013: self = .starting
        case 4_000: self = .silent
        case 4_001: self = text.lowercased().contains("gateway auth changed") ? .secretChanged : .removed
        default: return nil
        }
        self = refined(by: nil, credential)
    }

    /// Returns the reason, refined by `details.reason` and the kind of credential.
    private func refined(by detail: String?, _ credential: Credential) -> Self {
        switch (self, detail) {
        case (.notPaired, "role-upgrade"): .roleUpgrade
        case (.notPaired, "scope-upgrade"): .scopeUpgrade
        case (.notPaired, "metadata-upgrade"): .metadataUpgrade
        // A device token is sent in the field that all versions accept, where gateways report a wrong one as a wrong
        // shared token.
        case (.tokenMismatch, _) where credential == .deviceToken: .deviceTokenMismatch
        default: self
        }
    }

    /// The reasons by `details.code`.
    private static let codes: [String: Self] = [
        "PAIRING_REQUIRED": .notPaired,
        "PAIRING_REJECTED": .pairingRejected,
        "PAIRING_EXPIRED": .pairingExpired,
        "DEVICE_IDENTITY_REQUIRED": .deviceMissing,
        "AUTH_TOKEN_MISSING": .tokenMissing,
        "AUTH_PASSWORD_MISSING": .passwordMissing,
        "AUTH_TOKEN_MISMATCH": .tokenMismatch,
        "AUTH_PASSWORD_MISMATCH": .passwordMismatch,
        "AUTH_DEVICE_TOKEN_MISMATCH": .deviceTokenMismatch,
        "AUTH_SCOPE_MISMATCH": .scopeMismatch,
        "AUTH_BOOTSTRAP_TOKEN_INVALID": .bootstrapTokenInvalid,
        "AUTH_RATE_LIMITED": .rateLimited,
        "DEVICE_AUTH_DEVICE_ID_MISMATCH": .deviceIDMismatch,
        "DEVICE_AUTH_SIGNATURE_EXPIRED": .signatureExpired,
        "DEVICE_AUTH_NONCE_REQUIRED": .nonceMissing,
        "DEVICE_AUTH_NONCE_MISMATCH": .nonceMismatch,
        "DEVICE_AUTH_SIGNATURE_INVALID": .signatureInvalid,
        "DEVICE_AUTH_PUBLIC_KEY_INVALID": .publicKeyInvalid,
        "PROTOCOL_MISMATCH": .protocolMismatch,
        "AUTH_VERIFIED_USER_REQUIRED": .userUnverified,
        "OPERATOR_ACCESS_DENIED": .accessDenied,
        "AUTHENTICATED_PROFILE_UNAVAILABLE": .profileUnavailable,
        "CONTROL_UI_BUILD_MISMATCH": .buildMismatch,
        "MISSING_SCOPE": .scopeMissing,
    ]

    /// The texts that reveal the reason of answers without a code, and of closes. The first match counts: longer texts
    /// come before texts that they contain.
    private static let words: [(String, Self)] = [
        ("device token mismatch", .deviceTokenMismatch),
        ("token missing", .tokenMissing),
        ("password missing", .passwordMissing),
        ("bootstrap token invalid", .bootstrapTokenInvalid),
        ("token scope mismatch", .scopeMismatch),
        ("token mismatch", .tokenMismatch),
        ("password mismatch", .passwordMismatch),
        ("too many failed", .rateLimited),
        ("device identity required", .deviceMissing),
        ("device identity mismatch", .deviceIDMismatch),
        ("device signature expired", .signatureExpired),
        ("device signature invalid", .signatureInvalid),
        ("device nonce required", .nonceMissing),
        ("device nonce mismatch", .nonceMismatch),
        ("device public key invalid", .publicKeyInvalid),
        ("pairing required", .notPaired),
        ("protocol mismatch", .protocolMismatch),
        ("missing scope", .scopeMissing),
        ("invalid role", .roleRefused),
        ("origin not allowed", .originRefused),
        ("invalid connect params", .malformedRequest),
        ("invalid handshake", .malformedRequest),
        ("invalid-handshake", .malformedRequest),
        ("gateway starting", .starting),
        ("slow consumer", .slow),
    ]

    private init?(words text: String) {
        // Ports write `token_missing`.
        let text = String(text.lowercased().map { $0 == "_" ? " " : $0 })
        guard let found = Self.words.first(where: { text.contains($0.0) }) else { return nil }
        self = found.1
    }
}
