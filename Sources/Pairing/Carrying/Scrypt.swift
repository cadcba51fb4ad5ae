internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import GatewayProtocol

/// scrypt (RFC 7914) with r = 8 and p = 1, by which a passphrase becomes a key: as slow as its work factor says, and with as
/// much memory.
///
/// The factor comes from a file or a server, and so is bounded before any memory is taken.
enum Scrypt {
    /// The greatest work factor, as the power of two that N is: 2²⁰ takes 1 GiB.
    static let greatestFactor = 20

    /// The work factor of what is written here: 2¹⁸ takes 256 MiB and about a second, as with `age`.
    static let usualFactor = 18

    /// Returns 16 random bytes.
    static func salt() -> [UInt8] { (0..<16).map { _ in .random(in: .min ... .max) } }

    /// Derives a key of 32 bytes; `nil` for an empty passphrase, a factor beyond the bound, and where memory is lacking.
    static func key(_ passphrase: Secret, salt: [UInt8], factor: Int) -> SymmetricKey? {
        guard !passphrase.isEmpty, (1...greatestFactor).contains(factor) else { return nil }
        // The library has no call that takes bytes in place. Freed memory keeps its content.
        var text = passphrase.withUnsafeBytes { Data($0) }
        defer { text.resetBytes(in: text.indices) }
        return try? KDF.Scrypt.deriveKey(
            from: text,
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << factor,
            blockSize: 8,
            parallelism: 1
        )
    }
}
