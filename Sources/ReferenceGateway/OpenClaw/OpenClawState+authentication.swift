internal import GatewayProtocol

/// The authentication of an OpenClaw gateway's clients by their secrets.
extension OpenClawState {
    /// A way in which a client has authenticated.
    enum Method: Hashable {
        case none
        case sharedSecret
        case bootstrapToken
        case deviceToken
    }

    /// Checks the secrets that were sent: the shared one first, then that of a setup code, then that of the device.
    mutating func authenticate(
        _ params: ConnectParams,
        deviceID: String?,
        peer: GatewayPeer,
        at time: GatewayTime
    ) throws(ConnectRefusal) -> Method {
        let shared = sharedSecret(params)
        guard shared.kind != nil else { return .none }
        if shared.isRight {
            try checkLockout(of: peer, .sharedSecret, time)
            rateLimit.succeed(peer.ip, .sharedSecret)
            return .sharedSecret
        }
        if let deviceID, let token = params.bootstrapToken {
            try checkLockout(of: peer, .bootstrapToken, time)
            switch setupTokens.verdict(on: token, from: deviceID, for: params.scopes, at: time) {
            case .valid:
                rateLimit.succeed(peer.ip, .bootstrapToken)
                return .bootstrapToken
            case .invalid:
                fail(peer, .bootstrapToken, time)
                throw .unauthorized(.bootstrapTokenInvalid)
            case .opensLess: throw .unauthorized(.bootstrapTokenInvalid)
            }
        }
        // Old clients can send their device token only in the field of the shared one.
        if let deviceID, let token = params.deviceToken ?? params.token {
            try checkLockout(of: peer, .deviceToken, time)
            switch devices.verdict(on: token, of: deviceID, role: params.role, scopes: params.scopes) {
            case .valid:
                rateLimit.succeed(peer.ip, .deviceToken)
                return .deviceToken
            case .scopeMismatch:
                throw .unauthorized(.scopeMismatch)
            case .mismatch where params.deviceToken != nil:
                fail(peer, .deviceToken, time)
                throw .unauthorized(.deviceTokenMismatch)
            case .mismatch:
                break
            }
        }
        guard shared.isGiven, let kind = shared.kind else {
            // No secret was sent, which does not count as a failure.
            throw .unauthorized(shared.kind == .passwordMismatch ? .passwordMissing : .tokenMissing)
        }
        try checkLockout(of: peer, .sharedSecret, time)
        fail(peer, .sharedSecret, time)
        let hasToken = deviceID.flatMap { devices[$0]?.grants[params.role]?.token } != nil
        throw .unauthorized(kind, canNameDeviceToken: kind == .tokenMismatch && hasToken)
    }

    /// Returns whether the shared secret was sent, whether it was right, and the failure to report if it was not; no
    /// failure if there is no shared secret.
    private func sharedSecret(
        _ params: ConnectParams
    ) -> (isGiven: Bool, isRight: Bool, kind: ConnectRefusal.Credential?) {
        func judge(
            _ given: Secret?,
            _ secret: Secret,
            _ kind: ConnectRefusal.Credential
        ) -> (isGiven: Bool, isRight: Bool, kind: ConnectRefusal.Credential?) {
            guard let given, !given.isEmpty else { return (false, false, kind) }
            return (true, given == secret, kind)
        }

        return switch settings.authentication {
        case .none: (false, true, nil)
        case .token(let secret): judge(params.token, secret, .tokenMismatch)
        case .password(let secret): judge(params.password, secret, .passwordMismatch)
        }
    }

    /// Throws if failed attempts have locked a peer out.
    private func checkLockout(
        of peer: GatewayPeer,
        _ kind: RateLimit.Kind,
        _ time: GatewayTime
    ) throws(ConnectRefusal) {
        guard settings.era.limitsRate, let rest = rateLimit.lockout(of: peer.ip, kind, at: time) else { return }
        var refusal = ConnectRefusal.unauthorized(.rateLimited)
        if settings.era.tellsLockout { refusal.retryAfter = .milliseconds(rest) }
        throw refusal
    }

    private mutating func fail(_ peer: GatewayPeer, _ kind: RateLimit.Kind, _ time: GatewayTime) {
        if settings.era.limitsRate { rateLimit.fail(peer.ip, kind, at: time) }
    }
}
