internal import Crypto
internal import GatewayProtocol

extension LeafFingerprint {
    /// Creates the fingerprint of a certificate.
    ///
    /// - Parameter der: The certificate as DER bytes.
    init?(ofCertificate der: [UInt8]) { self.init(bytes: Array(SHA256.hash(data: der))) }
}
