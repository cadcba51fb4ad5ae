public import GatewayProtocol

/// The session that is asked of a gateway: who asks, in which dialect, with which credential.
public struct SessionRequest: Sendable {
    /// The dialect, one of those in which there are sessions: OptaPlus or OpenClaw.
    public var dialect: GatewayDialect

    /// This device.
    public var device: DeviceDescription

    /// The credential.
    public var credential: SessionCredential

    /// The scopes that are asked for, in OpenClaw's dialect.
    public var scopes: [String]

    /// The signature that is sent first, in OpenClaw's dialect: ``/GatewayProtocol/HelloOK/signature`` of the session before.
    public var signature: OpenClawSignature.Version

    /// Indicates whether a device token is sent as `auth.deviceToken`: see ``/GatewayProtocol/OpenClawConnect/namesDeviceToken``.
    public var namesDeviceToken: Bool

    /// The time in milliseconds since 1970, for a challenge that names none: a signature is good for two minutes.
    public var time: Int

    /// The time that a challenge, and then the answer, may take.
    public var timeout: Duration

    /// Decides whether the credential may go to the peer at the other end. It is called directly before a secret is sent, each time,
    /// and what it throws ends the attempt with nothing sent. `nil` of a path's leaf is a peer without TLS.
    public var gate: @Sendable (GatewayProbePath, SessionCredential.Kind) throws -> Void

    public init(
        dialect: GatewayDialect,
        device: DeviceDescription,
        credential: SessionCredential,
        scopes: [String] = OpenClawConnect.scopesForReading,
        signature: OpenClawSignature.Version = .v2,
        namesDeviceToken: Bool = false,
        time: Int,
        timeout: Duration = .seconds(10),
        gate: @escaping @Sendable (GatewayProbePath, SessionCredential.Kind) throws -> Void
    ) {
        self.dialect = dialect
        self.device = device
        self.credential = credential
        self.scopes = scopes
        self.signature = signature
        self.namesDeviceToken = namesDeviceToken
        self.time = time
        self.timeout = timeout
        self.gate = gate
    }

    /// Returns the request to make instead, on a new connection, when a gateway has refused this one; `nil` where there is none.
    ///
    /// An older gateway knows the second version of the signature alone; one that takes the device token under its own name alone says
    /// so. Neither costs an attempt of those after which a gateway locks, and neither comes twice.
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
public struct SessionGrant: Hashable, Sendable {
    /// The way it goes.
    public let path: GatewayProbePath

    /// The gateway's greeting. Where it brings a device token, that one is to be kept in place of the one before.
    public let hello: HelloOK

    /// The time that the gateway took to answer.
    public let roundTrip: Duration
}
