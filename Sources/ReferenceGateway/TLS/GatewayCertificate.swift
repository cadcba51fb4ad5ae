internal import Crypto
internal import FoundationEssentials
package import GatewayProtocol
internal import NIOSSL
internal import SwiftASN1
internal import X509

/// The key and the self-signed certificate of a gateway, made once and never renewed, since clients recognize the
/// gateway by the certificate.
///
/// Like those of released OpenClaw gateways it names no host, so only a pin can verify it.
package struct GatewayCertificate: Hashable, Sendable {
    /// The time for which it is valid, in seconds: a hundred years.
    private static let validity = 100.0 * 365.25 * 86_400

    /// The certificate (RFC 5280), in DER.
    package let leaf: [UInt8]

    /// The P-256 key, in PEM.
    private let key: Secret

    /// The SHA-256 of ``leaf``.
    package let fingerprint: LeafFingerprint

    private init?(leaf: [UInt8], key: Secret) {
        guard let fingerprint = LeafFingerprint(bytes: Array(SHA256.hash(data: leaf))) else { return nil }
        self.leaf = leaf
        self.key = key
        self.fingerprint = fingerprint
    }

    /// Makes a key and a certificate.
    ///
    /// - Parameter commonName: The name of its subject.
    /// - Throws: ``ReferenceGatewayError`` `noCertificate`.
    package static func make(commonName: String) throws(ReferenceGatewayError) -> GatewayCertificate {
        do {
            let key = P256.Signing.PrivateKey()
            let name = try DistinguishedName { CommonName(commonName) }
            let now = Date()
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey),
                // A client's clock may be behind.
                notValidBefore: now.addingTimeInterval(-86_400),
                notValidAfter: now.addingTimeInterval(validity),
                issuer: name,
                subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) },
                issuerPrivateKey: Certificate.PrivateKey(key)
            )
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            let kept = GatewayCertificate(leaf: serializer.serializedBytes, key: Secret(key.pemRepresentation))
            guard let kept else { throw ReferenceGatewayError(.noCertificate, "it has no hash") }
            return kept
        } catch {
            throw ReferenceGatewayError(.noCertificate, "the certificate could not be made: \(error)")
        }
    }

    // MARK: Storage

    /// Reads the stored form; `nil` unless it is a key and its certificate, both in PEM.
    init?(json: JSONValue) {
        guard let key = json["key"]?.string, let text = json["certificate"]?.string,
            let document = try? PEMDocument(pemString: text), document.discriminator == "CERTIFICATE",
            let certificate = try? Certificate(derEncoded: document.derBytes),
            let publicKey = try? P256.Signing.PrivateKey(pemRepresentation: key).publicKey,
            certificate.publicKey == Certificate.PublicKey(publicKey)
        else { return nil }
        self.init(leaf: document.derBytes, key: Secret(key))
    }

    /// The stored form. It holds the key.
    var json: JSONValue {
        let document = PEMDocument(type: "CERTIFICATE", derBytes: leaf)
        return .object(["certificate": .string(document.pemString), "key": .string(key.revealed ?? "")])
    }

    // MARK: TLS

    /// Returns the TLS settings of a server that presents the certificate.
    ///
    /// - Throws: ``ReferenceGatewayError`` `noCertificate`.
    func serverContext() throws(ReferenceGatewayError) -> NIOSSLContext {
        do {
            let key = try key.withUnsafeBytes { try NIOSSLPrivateKey(bytes: Array($0), format: .pem) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: leaf, format: .der))],
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ReferenceGatewayError(.noCertificate, "the certificate cannot be used: \(error)")
        }
    }
}
