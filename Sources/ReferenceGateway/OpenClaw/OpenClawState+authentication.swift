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
            if isLocked(peer, .sharedSecret, time) { throw .unauthorized(.rateLimited) }
            rateLimit.succeed(peer.ip, .sharedSecret)
            return .sharedSecret
        }
        if let deviceID, let token = params.bootstrapToken {
            if isLocked(peer, .bootstrapToken, time) { throw .unauthorized(.rateLimited) }
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
            if isLocked(peer, .deviceToken, time) { throw .unauthorized(.rateLimited) }
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
        if isLocked(peer, .sharedSecret, time) { throw .unauthorized(.rateLimited) }
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

    private func isLocked(_ peer: GatewayPeer, _ kind: RateLimit.Kind, _ time: GatewayTime) -> Bool {
        settings.era.limitsRate && rateLimit.isLocked(peer.ip, kind, at: time)
    }

    private mutating func fail(_ peer: GatewayPeer, _ kind: RateLimit.Kind, _ time: GatewayTime) {
        if settings.era.limitsRate { rateLimit.fail(peer.ip, kind, at: time) }
    }
}
