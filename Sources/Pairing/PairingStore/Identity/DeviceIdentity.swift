internal import Crypto
internal import DNSSD
internal import GatewayProtocol

/// The identity of this device towards all gateways, in every dialect; created once.
package struct DeviceIdentity: Hashable, Sendable, Identifiable {
    /// A UUID of version 4 (RFC 9562 §5.4), in lower case. Gateways that were paired by earlier versions know this device
    /// by it; each other one by an identifier of its own: see ``id(at:fingerprint:endpoint:)``.
    package internal(set) var id: String

    /// Its name for people: the host's name, until it is changed.
    package let name: String

    /// An emoji that represents it.
    package let emoji: String?

    /// The platform, which never changes: OpenClaw's gateways pin it when they approve a device.
    package let platform: String

    /// The public key, Ed25519 (RFC 8032): 32 bytes.
    package let publicKey: [UInt8]

    /// The private key, 32 bytes; `nil` while the store is sealed.
    let privateKey: Secret?

    /// The reason why there is no private key; `nil` if there is one.
    let sealed: StoreError?

    /// Signs a message with the private key.
    ///
    /// - Returns: The signature, 64 bytes (RFC 8032 §5.1.6).
    /// - Throws: `sealed` or `wrongKey` while there is a
    ///   ``PairingStore/keyProblem``.
    package func signature(of message: [UInt8]) throws(StoreError) -> [UInt8] {
        guard let privateKey else { throw noKey }
        do {
            let key = try privateKey.withUnsafeBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
            return Array(try key.signature(for: message))
        } catch {
            throw StoreError(.system, expected: "a key that signs", found: "one that does not")
        }
    }

    /// Returns the identity as it is taken to another device.
    func carried() throws(StoreError) -> DeviceFile.Identity {
        guard let privateKey else { throw noKey }
        return DeviceFile.Identity(
            id: id,
            name: name,
            emoji: emoji,
            platform: platform,
            publicKey: publicKey,
            privateKey: privateKey
        )
    }

    /// The reason why there is no private key.
    var noKey: StoreError { sealed ?? StoreError(.sealed, expected: "a key to sign with", found: "none") }
}

extension DeviceIdentity {
    /// Indicates whether a text can be the name of a device: it has 1 to 64 bytes, and no invisible characters.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && DisplayText(text).text == text
    }

    /// Indicates whether a text can be the emoji of a device: one or two visible characters, or none.
    package static func isEmoji(_ text: String) -> Bool {
        text.count <= 2 && text.utf8.count <= StoreLimits.emojiBytes && DisplayText(text).text == text
    }

    /// The platform of this build.
    static let thisPlatform = "linux"
}
