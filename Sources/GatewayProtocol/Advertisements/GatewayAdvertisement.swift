package import DNSSD

/// A service's description of the gateway behind it: its TXT record, of any era, as typed values.
///
/// Every key is optional, and everything is a hint: only asking shows whether there is a gateway, and which one. A
/// malformed value never hides a gateway; it is listed in ``problems``. The endpoint to connect to comes from SRV and
/// address records alone, so ports and host names in the TXT record are not read.
package struct GatewayAdvertisement: Hashable, Sendable {
    /// The advertised fingerprint, from `fp`.
    package let fingerprint: GatewayFingerprint?

    /// The name, from `name`, else `displayName`, else the instance name without ` (OpenClaw)` or ` (Clawdbot)`.
    ///
    /// Exactly as advertised, 1–255 bytes; clean it with ``/DNSSD/DisplayText`` before showing it.
    package let name: String

    /// The number of bots that the gateway says it has, 0–9,999, from `bots`.
    package let bots: Int?

    /// The version of the gateway's protocol, 0–999,999,999, from `ver`.
    package let version: Int?

    /// The hint about TLS, from `gatewayTls` and `gatewayTlsSha256`, else `bridgeTls` and `bridgeTlsSha256`.
    package let tls: TLSHint?

    /// The role of the gateway, such as `gateway`, at most 64 bytes, from `role`.
    package let role: String?

    /// The transport of the gateway, such as `gateway` or `bridge`, at most 64 bytes, from `transport`.
    package let transport: String?

    /// Indicates whether the gateway says that it can be reached without a relay, from `gatewayDirectReachable`.
    package let directlyReachable: Bool?

    /// The problems with values that could not be used, in the order of this type's properties.
    package let problems: [GatewayAdvertisementProblem]

    /// Reads the advertisement of a service.
    ///
    /// - Parameters:
    ///   - instance: The service, whose instance name is used where the record has no name.
    ///   - txt: Its TXT record.
    package init(instance: ServiceInstance, txt: TXTRecord) {
        var reader = GatewayAdvertisementReader(txt)
        self.fingerprint = reader.fingerprint(forKey: "fp")
        self.name =
            reader.name(forKey: "name") ?? reader.name(forKey: "displayName")
            ?? Self.name(fromInstanceName: instance.name)
        self.bots = reader.integer(forKey: "bots", in: 0...Self.maximumBots)
        self.version = reader.integer(forKey: "ver", in: 0...Self.maximumVersion)
        self.tls = reader.tls(prefix: "gateway") ?? reader.tls(prefix: "bridge")
        self.role = reader.text(forKey: "role", limit: 64)
        self.transport = reader.text(forKey: "transport", limit: 64)
        self.directlyReachable = reader.boolean(forKey: "gatewayDirectReachable")
        self.problems = reader.problems
    }

    static let maximumBots = 9_999
    static let maximumVersion = 999_999_999
}

/// A hint about TLS in a TXT record: whether to try it first, and which certificate to expect.
///
/// It is no proof of identity: it saves a round trip, and pins nothing.
package struct TLSHint: Hashable, Sendable {
    /// Indicates whether the gateway says that it speaks TLS.
    package let isEnabled: Bool

    /// The SHA-256 of the leaf certificate's DER as 64 lower-case hexadecimal digits, if it is given.
    package var sha256: String?
}
