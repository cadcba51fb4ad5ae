internal import Crypto
package import GatewayProtocol

/// A secret that two peers share, and by which each knows that bytes are the other's (HMAC-SHA256, RFC 2104).
package struct SharedKey: Sendable {
    private let key: SymmetricKey

    package init(_ secret: Secret) {
        self.key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// Returns the authentication code of bytes.
    package func code(for bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
}
