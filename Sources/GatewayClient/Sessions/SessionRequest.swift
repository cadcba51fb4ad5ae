package import GatewayProtocol

/// A request for a session with a gateway: the device, the dialect and the credential.
package struct SessionRequest: Sendable {
    /// The dialect.
    package var dialect: GatewayDialect

    /// This device.
    package var device: DeviceDescription

    /// The credential.
    package var credential: SessionCredential

    /// The scopes that are asked for, in OpenClaw's dialect.
    package var scopes: [String]

    /// The version of the signature that is sent first, in OpenClaw's dialect: ``/GatewayProtocol/HelloOK/signature``
    /// of the previous session.
    package var signature: OpenClawSignature.Version

    /// Indicates whether a device token is sent as `auth.deviceToken`: see
    /// ``/GatewayProtocol/OpenClawConnect/namesDeviceToken``.
    package var namesDeviceToken: Bool

    /// The identifier of the last message that was received in an earlier session, in Clawline's dialect: the provider
    /// sends those that followed.
    package var lastMessageID: String?

    /// The time in milliseconds since 1970, for a challenge that has none: a signature is valid for two minutes.
    package var time: Int

    /// The time that the challenge, and then the answer, may take.
    package var timeout: Duration

    /// Decides whether the credential may be sent to the peer at the other end. It is called each time, directly before
    /// a secret is sent; an error that it throws ends the attempt with nothing sent. A path whose leaf is `nil` has no
    /// TLS.
    package var gate: @Sendable (GatewayProbePath, SessionCredential.Kind) async throws -> Void

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - dialect: The dialect.
    ///   - device: This device.
    ///   - credential: The credential.
    ///   - scopes: The scopes that are asked for, in OpenClaw's dialect; by default the one for listing bots.
    ///   - signature: The version of the signature that is sent first; by default the one that every gateway with a
    ///     challenge accepts.
    ///   - namesDeviceToken: Indicates whether a device token is sent as `auth.deviceToken`.
    ///   - lastMessageID: The identifier of the last message that was received, in Clawline's dialect.
    ///   - time: The time in milliseconds since 1970.
    ///   - timeout: The time that the challenge, and then the answer, may take; by default 10 s each.
    ///   - gate: Decides whether the credential may be sent; it throws where it may not.
    package init(
        dialect: GatewayDialect,
        device: DeviceDescription,
        credential: SessionCredential,
        scopes: [String] = OpenClawConnect.scopesForReading,
        signature: OpenClawSignature.Version = .v2,
        namesDeviceToken: Bool = false,
        lastMessageID: String? = nil,
        time: Int,
        timeout: Duration = .seconds(10),
        gate: @escaping @Sendable (GatewayProbePath, SessionCredential.Kind) async throws -> Void
    ) {
        self.dialect = dialect
        self.device = device
        self.credential = credential
        self.scopes = scopes
        self.signature = signature
        self.namesDeviceToken = namesDeviceToken
        self.lastMessageID = lastMessageID
        self.time = time
        self.timeout = timeout
        self.gate = gate
    }

    /// Returns the request to make instead, on a new connection, when a gateway has refused this one; `nil` where there
    /// is none.
    ///
    /// An older gateway only knows the second version of the signature; a gateway that accepts the device token only
    /// under its own name says so. Neither counts as one of the failed attempts after which a gateway locks, and each
    /// is tried only once.
    func alternative(to refusal: SessionRefusal) -> SessionRequest? {
        var request = self
        switch refusal.reason {
        case .signatureInvalid where signature == .v3: request.signature = .v2
        case .deviceTokenMismatch where refusal.canNameDeviceToken && !namesDeviceToken:
            request.namesDeviceToken = true
        default: return nil
        }
        return request
    }
}

/// The session that a gateway has granted.
package struct SessionGrant: Hashable, Sendable {
    /// The path of the session.
    package let path: GatewayProbePath

    /// The gateway's greeting. Where it contains a device token, store that token in place of the previous one.
    package let hello: HelloOK

    /// The details that a Clawline provider gives; `nil` in the other dialects.
    package var clawline: ClawlineSession?

    /// The time that the gateway took to answer.
    package let roundTrip: Duration
}
