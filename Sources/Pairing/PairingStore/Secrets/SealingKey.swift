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
