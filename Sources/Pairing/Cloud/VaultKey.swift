internal import Crypto
internal import DNSSD
internal import GatewayProtocol

/// The key with which all devices of a user seal what they put into the cloud: 256 random bits, made on one of them. It is
/// never sent: another device gets it as a recovery code, or wrapped by a passphrase.
///
/// The session with the auth server cannot be its source: its tokens change every hour, and the server knows them.
package struct VaultKey: Sendable {
    let key: SealingKey

    /// The identifier of the key, 16 hexadecimal digits, which tells nothing of it: a row says which key opens it.
    package let id: String

    /// Creates a key.
    package init() { self.init(SealingKey()) }

    init(_ key: SealingKey) {
        self.key = key
        id = key.derived(for: "clawradar vault key id 1", count: 8).hexadecimal
    }

    /// The prefix of texts that stand for others.
    static let blindPrefix = "sealed:"

    /// Returns a text that stands for others in the table and says nothing of them: the same at every device with this key.
    func blinded(_ texts: [String]) -> String {
        let mac = HMAC<SHA256>.authenticationCode(
            for: SealedPlace.joined(texts.map { Array($0.utf8) }),
            using: SymmetricKey(data: key.derived(for: "clawradar vault names 1"))
        )
        return "\(Self.blindPrefix)\(Base64.url.encode(Array(mac.prefix(16))))"
    }
}

extension VaultKey: Hashable, CustomStringConvertible, CustomReflectable {
    package static func == (left: VaultKey, right: VaultKey) -> Bool { left.key.bytes == right.key.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    package var description: String { "<vault key \(id)>" }

    /// A mirror without children, so that `dump` does not show the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
