internal import GatewayProtocol

/// The parameters of OpenClaw's `connect`, whose form has been checked with ``ClosedSchema``.
struct ConnectParams: Hashable, Sendable {
    /// The proof of a device's key, as it was sent.
    struct Device: Hashable, Sendable {
        let id: String
        let publicKey: String
        let signature: String
        let signedAt: Int
        /// The nonce; `nil` where none was sent.
        let nonce: String?
    }

    let oldestProtocol: Int
    let newestProtocol: Int
    let clientID: String
    let clientMode: String
    let platform: String
    let deviceFamily: String?

    /// The name for people, or the client's identifier if there is none; untrusted, at most 128 bytes.
    let name: String

    let role: String

    /// The scopes in the order in which they were sent.
    let scopes: [String]
    let device: Device?

    let token: Secret?
    let password: Secret?
    let deviceToken: Secret?
    let bootstrapToken: Secret?

    init(_ json: JSONValue) {
        let (client, device, auth) = (json["client"], json["device"], json["auth"])
        oldestProtocol = json["minProtocol"]?.int ?? 0
        newestProtocol = json["maxProtocol"]?.int ?? 0
        clientID = client?["id"]?.string ?? ""
        clientMode = client?["mode"]?.string ?? ""
        platform = client?["platform"]?.string ?? ""
        deviceFamily = client?["deviceFamily"]?.string
        name = (client?["displayName"]?.string ?? clientID).cut(toBytes: 128)
        role = json["role"]?.string ?? "operator"
        scopes = (json["scopes"]?.array ?? []).compactMap(\.string)
        self.device = device.map { device in
            Device(
                id: device["id"]?.string ?? "",
                publicKey: device["publicKey"]?.string ?? "",
                signature: device["signature"]?.string ?? "",
                signedAt: device["signedAt"]?.int ?? 0,
                nonce: device["nonce"]?.string
            )
        }
        token = auth?["token"]?.string.map { Secret($0) }
        password = auth?["password"]?.string.map { Secret($0) }
        deviceToken = auth?["deviceToken"]?.string.map { Secret($0) }
        bootstrapToken = auth?["bootstrapToken"]?.string.map { Secret($0) }
    }

    /// The secret that the signature covers. Even an empty token takes precedence over the others; a password is never
    /// signed.
    var signedToken: Secret? { token ?? deviceToken ?? bootstrapToken }
}
