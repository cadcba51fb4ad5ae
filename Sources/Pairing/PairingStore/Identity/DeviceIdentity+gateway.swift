internal import Crypto
package import DNSSD
internal import FoundationEssentials
package import GatewayProtocol

extension DeviceIdentity {
    /// The identifier by which one gateway knows this device, where its dialect lets a device choose one: always the
    /// same for the same gateway, and another one for each. In OptaPlus's dialect whoever knows it can unpair this
    /// device, so no gateway may learn the one that another has.
    ///
    /// A fingerprint is only what a gateway says, and anybody can repeat it. So the certificate or host name by which
    /// the gateway is proved counts, too. Without TLS nothing is proved, and a gateway without a fingerprint is the
    /// place where it answers, in the tunnel or at the machine of a tailnet where that is part of its trust.
    ///
    /// - Parameters:
    ///   - trust: The proof of the gateway.
    ///   - fingerprint: The fingerprint that it told.
    ///   - endpoint: The place where it answered when it was paired.
    ///   - version: The version that the UUID claims: some gateways accept no other than that of random ones.
    /// - Returns: A UUID, by default of version 8 (RFC 9562 §5.8), in lower case, derived by HKDF (RFC 5869) from the private key.
    /// - Throws: `sealed` or `wrongKey` while there is a
    ///   ``PairingStore/keyProblem``.
    package func id(
        at trust: TrustPolicy,
        fingerprint: GatewayFingerprint?,
        endpoint: Endpoint,
        version: UInt8 = 8
    ) throws(StoreError) -> String {
        guard let privateKey else { throw noKey }
        let proof: [[UInt8]] =
            switch (trust, fingerprint) {
            case (.pinned(let leaf), _): [Array("pinned".utf8), leaf.bytes, fingerprint?.bytes ?? []]
            case (.certified(let host), _):
                [Array("certified".utf8), Array(host.lowercased().utf8), fingerprint?.bytes ?? []]
            case (.sameAddress, _), (.lan, _): Self.unproved(fingerprint, endpoint)
            case (.tailnet(let node), _):
                [Array("tailnet".utf8), Array(node.key.utf8)] + Self.unproved(fingerprint, endpoint)
            case (.tunnel(let tunnel), _):
                [Array("tunnel".utf8)] + TokenDestination.parts(of: tunnel) + Self.unproved(fingerprint, endpoint)
            }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: privateKey.withUnsafeBytes { Data($0) }),
            info: SealedPlace.joined([Array("clawradar device id 1".utf8)] + proof),
            outputByteCount: 16
        )
        return UUIDText.text(key.withUnsafeBytes { Array($0) }, version: version)
    }

    /// The identifier by which the cloud knows this device: no gateway knows it, so that nobody there can speak for this
    /// device.
    ///
    /// - Throws: The same as ``id(at:fingerprint:endpoint:version:)``.
    package func cloudID() throws(StoreError) -> String {
        guard let privateKey else { throw noKey }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: privateKey.withUnsafeBytes { Data($0) }),
            info: Array("clawradar cloud device id 1".utf8),
            outputByteCount: 16
        )
        return UUIDText.text(key.withUnsafeBytes { Array($0) }, version: 8)
    }

    /// Returns what a gateway without TLS goes by: its fingerprint, or else its place.
    private static func unproved(_ fingerprint: GatewayFingerprint?, _ endpoint: Endpoint) -> [[UInt8]] {
        if let fingerprint { return [Array("plain".utf8), fingerprint.bytes] }
        return [
            Array("place".utf8), endpoint.address.bytes, Array((endpoint.address.scope?.name ?? "").utf8),
            Array(String(endpoint.port).utf8),
        ] + (endpoint.resource == "/" ? [] : [Array(endpoint.resource.utf8)])
            + (endpoint.serverName.map { [Array($0.description.utf8)] } ?? [])
    }

    /// Returns this identity under the identifier by which a certain gateway knows it.
    package func known(as id: String) -> DeviceIdentity {
        var identity = self
        identity.id = id
        return identity
    }
}
