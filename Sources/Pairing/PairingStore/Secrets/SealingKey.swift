internal import Crypto
internal import DNSSD
internal import FoundationEssentials
internal import GatewayProtocol

/// The key with which this device seals its secrets: AES-256-GCM, with a random nonce each time.
struct SealingKey: Sendable {
    private let key: SymmetricKey

    /// Creates a key of 256 random bits.
    init() {
        key = SymmetricKey(size: .bits256)
    }

    /// Takes a key of 256 bits that was derived from a passphrase.
    init(_ key: SymmetricKey) { self.key = key }

    /// Reads a key: 64 hexadecimal digits, whose white space is ignored, or 32 bytes; `nil` for anything else.
    init?(_ text: Secret) {
        var bytes = text.withUnsafeBytes { Array($0) }
        if bytes.count != 32 {
            let digits = bytes.filter { !" \t\r\n".utf8.contains($0) }
                .map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0xFF) }
            guard digits.count == 64, digits.allSatisfy({ $0 < 16 }) else { return nil }
            bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
        key = SymmetricKey(data: bytes)
    }

    /// The key as it is written to its file: 64 hexadecimal digits and a line feed.
    var text: [UInt8] {
        key.withUnsafeBytes { Array("\($0.hexadecimal)\n".utf8) }
    }

    /// Returns bytes that nobody derives without the key (HKDF, RFC 5869), and that tell nothing of it.
    ///
    /// - Parameter purpose: The name of what they are for.
    func derived(for purpose: String, count: Int = 32) -> [UInt8] {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: count)
            .withUnsafeBytes { Array($0) }
    }

    /// The 32 bytes of the key, to be taken to another device.
    var bytes: Secret { key.withUnsafeBytes { Secret(bytes: $0) } }

    /// Seals a secret so that it opens in this place alone.
    ///
    /// - Returns: Nonce (12 bytes), ciphertext and tag (16 bytes).
    func seal(_ secret: Secret, in place: SealedPlace) throws -> [UInt8] {
        let box = try secret.withUnsafeBytes { try AES.GCM.seal($0, using: key, authenticating: place.bytes) }
        // The same bytes as `box.combined`, which is optional because it requires a nonce of the usual length.
        return [UInt8](box.nonce) + box.ciphertext + box.tag
    }

    /// Opens a sealed secret; `nil` if the key or the place is another one, or the bytes were changed.
    func open(_ sealed: [UInt8], in place: SealedPlace) -> Secret? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            var bytes = try? AES.GCM.open(box, using: key, authenticating: place.bytes)
        else { return nil }
        // Freed memory keeps its content.
        defer { bytes.resetBytes(in: bytes.indices) }
        return Secret(bytes: bytes)
    }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
    var description: String { "<key>" }

    /// A mirror without children, so that `dump` does not show the key.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// The place that a sealed secret belongs to: authenticated with it, so that it does not open in another row of the
/// database.
enum SealedPlace: Hashable, Sendable {
    /// The signing key of the device with this identifier.
    case device(String)
    /// One generation of a credential, and where it may go.
    case credential(StoredCredential, of: PairingID, TokenDestination)
    /// The same as earlier versions have sealed it.
    case unboundCredential(StoredCredential, of: PairingID)
    /// What a row of the cloud's table has in its column for the token.
    case cloudRow(CloudRow)
    /// The vault key, in the store of the device with this identifier.
    case vaultKey(device: String)
    /// The token that renews the session of a user with a project of the cloud.
    case cloudSession(url: String, user: String)
    /// The vault key as a passphrase opens it, with the salt and the work factor.
    case wrappedVaultKey(header: [UInt8])

    /// The additional authenticated data: a name for the kind of place and then its parts, each preceded by its length
    /// (4 bytes).
    var bytes: [UInt8] {
        switch self {
        case .device(let id):
            Self.joined([Array("clawradar device 1".utf8), Array(id.utf8)])
        case .credential(let credential, let pairing, let destination):
            Self.joined(
                [
                    Array("clawradar credential 2".utf8), Array(pairing.description.utf8),
                    Array(credential.id.description.utf8), Array(String(credential.generation).utf8),
                    Array(credential.deviceID.utf8), destination.bytes,
                ] + credential.bots.map(\.bytes)
            )
        case .unboundCredential(let credential, let pairing):
            Self.joined(
                [
                    Array("clawradar credential 1".utf8), Array(pairing.description.utf8),
                    Array(credential.id.description.utf8), Array(String(credential.generation).utf8),
                ] + credential.bots.map(\.bytes)
            )
        case .cloudRow(let row):
            Self.joined(
                [
                    "clawradar cloud row 1", row.key.user, row.key.bot, row.key.gateway, row.device,
                    String(row.pairedAt),
                ]
                .map { Array($0.utf8) }
            )
        case .vaultKey(let device):
            Self.joined([Array("clawradar vault key 1".utf8), Array(device.utf8)])
        case .cloudSession(let url, let user):
            Self.joined(["clawradar cloud session 1", url, user].map { Array($0.utf8) })
        case .wrappedVaultKey(let header):
            Self.joined([Array("clawradar wrapped vault key 1".utf8), header])
        }
    }

    /// Joins parts so that no others give the same bytes.
    static func joined(_ parts: [[UInt8]]) -> [UInt8] {
        parts.flatMap { part in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: part.count >> $0) } + part
        }
    }
}
