/// The parameters of OpenClaw's `connect`, except the signature.
///
/// Gateways refuse keys that their version does not know, at every level, so only keys that all versions accept are
/// sent.
package struct OpenClawConnect: Hashable, Sendable {
    /// The oldest and the newest protocol version that this module speaks.
    package static let protocols = 3...4

    /// The identifier and mode of the kind of client: the only pair for programs like this one that every version
    /// accepts.
    package static let client = (id: "gateway-client", mode: "backend")

    /// The role of clients that talk to bots.
    package static let role = "operator"

    /// The scope that is needed to list bots. Asking for more later is a new request, which somebody must approve.
    package static let scopesForReading = ["operator.read"]

    /// The scopes that are needed to approve and reject other devices: with `operator.pairing`, gateways since 2026.7 show a
    /// device its own requests alone, and no setup code opens that. `operator.admin` includes all scopes of operators.
    package static let scopesForAdmins = ["operator.read", "operator.admin"]

    /// The scopes that are needed for everything, such as making setup codes.
    package static let scopesForOwners = scopesForAdmins

    /// The version of this program.
    package var clientVersion: String

    /// The platform, such as `linux`. A gateway stores it with its approval: after a change, the device has to be
    /// approved again.
    package var platform: String

    /// The name that the gateway's operator sees; left out where it is empty.
    package var displayName: String

    /// The scopes that are asked for. An empty list asks for none.
    package var scopes: [String]

    /// The device's identifier: the SHA-256 of its public key, in lower-case hexadecimal digits.
    package var deviceID: String

    /// The 32 bytes of the device's Ed25519 public key.
    package var publicKey: [UInt8]

    /// The time of signing in milliseconds since 1970: the challenge's own time, where it has one.
    package var signedAt: Int

    /// The nonce of the challenge.
    package var nonce: String

    /// The credential.
    package var credential: SessionCredential

    /// Indicates whether a device token is sent as `auth.deviceToken`, which gateways of January 2026 refuse. All
    /// versions accept it as `auth.token`.
    package var namesDeviceToken: Bool

    /// Creates parameters. Nothing is checked: the gateway refuses what does not fit.
    ///
    /// - Parameters:
    ///   - clientVersion: The version of this program.
    ///   - platform: The platform, always the same one for this device.
    ///   - displayName: The name that the gateway's operator sees; left out where it is empty.
    ///   - scopes: The scopes that are asked for; by default the one for listing bots.
    ///   - deviceID: The SHA-256 of the public key, in lower-case hexadecimal digits.
    ///   - publicKey: The 32 bytes of the device's Ed25519 public key.
    ///   - signedAt: The time of signing in milliseconds since 1970.
    ///   - nonce: The nonce of the challenge.
    ///   - credential: The credential.
    ///   - namesDeviceToken: Indicates whether a device token is sent as `auth.deviceToken`, and not as `auth.token`.
    package init(
        clientVersion: String,
        platform: String,
        displayName: String = "",
        scopes: [String] = Self.scopesForReading,
        deviceID: String,
        publicKey: [UInt8],
        signedAt: Int,
        nonce: String,
        credential: SessionCredential,
        namesDeviceToken: Bool = false
    ) {
        self.clientVersion = clientVersion
        self.platform = platform
        self.displayName = displayName
        self.scopes = scopes
        self.deviceID = deviceID
        self.publicKey = publicKey
        self.signedAt = signedAt
        self.nonce = nonce
        self.credential = credential
        self.namesDeviceToken = namesDeviceToken
    }

    /// Returns the text to sign. It is as secret as the credential: whoever has signed it should overwrite it.
    package func signedText(_ version: OpenClawSignature.Version) -> [UInt8] {
        OpenClawSignature(
            deviceID: deviceID,
            clientID: Self.client.id,
            clientMode: Self.client.mode,
            role: Self.role,
            scopes: scopes,
            signedAt: signedAt,
            // A password is never signed.
            token: credential.kind == .password ? nil : credential.secret,
            nonce: nonce,
            platform: platform
        ).text(version)
    }

    /// Returns the parameters as JSON. They hold the secret.
    ///
    /// - Parameter signature: The 64 bytes of the signature of ``signedText(_:)``.
    package func json(signature: [UInt8]) -> JSONValue {
        var client: [String: JSONValue] = [
            "id": .string(Self.client.id), "mode": .string(Self.client.mode), "version": .string(clientVersion),
            "platform": .string(platform),
        ]
        if !displayName.isEmpty { client["displayName"] = .string(displayName) }
        var fields: [String: JSONValue] = [
            "minProtocol": .number(JSONNumber(Self.protocols.lowerBound)),
            "maxProtocol": .number(JSONNumber(Self.protocols.upperBound)),
            "client": .object(client),
            "role": .string(Self.role),
            "scopes": .array(scopes.map(JSONValue.string)),
            "caps": .array([]),
            "device": .object([
                "id": .string(deviceID), "publicKey": .string(Base64.url.encode(publicKey)),
                "signature": .string(Base64.url.encode(signature)), "signedAt": .number(JSONNumber(signedAt)),
                "nonce": .string(nonce),
            ]),
        ]
        if let secret = credential.secret, secret.isText { fields["auth"] = .object([authKey: .secret(secret)]) }
        return .object(fields)
    }

    private var authKey: String {
        switch credential.kind {
        case .none, .sharedToken: "token"
        case .deviceToken: namesDeviceToken ? "deviceToken" : "token"
        case .password: "password"
        case .bootstrapToken: "bootstrapToken"
        }
    }
}
