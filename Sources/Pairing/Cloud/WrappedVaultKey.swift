internal import DNSSD
package import GatewayProtocol

/// The vault key, wrapped by a passphrase for another device, as text in a row of its own in the cloud's table: version
/// (1 byte), work factor (1), salt (16), nonce (12), ciphertext and tag (16), in base64.
///
/// Whoever has the table can try passphrases, as fast as scrypt lets them: that is said when one is chosen, and a recovery
/// code needs no such trust.
package enum WrappedVaultKey {
    /// The reason why a key was not unwrapped.
    package enum Problem: Error, Hashable, Sendable {
        /// It is none, or one of a later version.
        case isUnreadable
        /// It demands more work than is done for any: 2 to this power.
        case demandsTooMuch(Int)
        /// There is no memory for the work.
        case lacksMemory
        /// The passphrase is another one, or the text was changed.
        case isOtherPassphrase
    }

    /// The least bytes of a passphrase: what a server can try at leisure has to be long.
    package static let leastBytes = 12

    private static let version: UInt8 = 1
    private static let headerBytes = 18

    /// Wraps a key.
    package static func wrap(_ vault: VaultKey, with passphrase: Secret) throws(Problem) -> String {
        try wrap(vault, with: passphrase, factor: Scrypt.usualFactor, by: Scrypt.key)
    }

    /// Unwraps a key.
    package static func unwrap(_ text: String, with passphrase: Secret) throws(Problem) -> VaultKey {
        try unwrap(text, with: passphrase, by: Scrypt.key)
    }

    static func wrap(
        _ vault: VaultKey,
        with passphrase: Secret,
        factor: Int,
        by derive: AgeFile.Derivation
    ) throws(Problem) -> String {
        let salt = Scrypt.salt()
        let header = [version, UInt8(truncatingIfNeeded: factor)] + salt
        guard let key = derive(passphrase, salt, factor).map(SealingKey.init),
            let sealed = try? key.seal(vault.key.bytes, in: .wrappedVaultKey(header: header))
        else { throw .lacksMemory }
        return Base64.standard.encode(header + sealed)
    }

    static func unwrap(
        _ text: String,
        with passphrase: Secret,
        by derive: AgeFile.Derivation
    ) throws(Problem) -> VaultKey {
        guard let bytes = Base64.standard.decode(text), bytes.count == headerBytes + 60, bytes[0] == version else {
            throw .isUnreadable
        }
        let (header, factor) = (Array(bytes.prefix(headerBytes)), Int(bytes[1]))
        guard factor <= Scrypt.greatestFactor else { throw .demandsTooMuch(factor) }
        guard let key = derive(passphrase, Array(header.dropFirst(2)), factor).map(SealingKey.init) else {
            throw .lacksMemory
        }
        guard let opened = key.open(Array(bytes.dropFirst(headerBytes)), in: .wrappedVaultKey(header: header)),
            let vault = SealingKey(opened)
        else { throw .isOtherPassphrase }
        return VaultKey(vault)
    }
}

extension CloudRow {
    /// Returns the row that has the vault key of a user, wrapped: inactive, so that no program takes it for a pairing.
    package static func wrappedKey(_ text: String, id: String, of owner: CloudOwner, at time: Int) -> CloudRow {
        let key = Key(user: owner.user, bot: "", gateway: wrappedKeyPrefix + id)
        var row = CloudRow(key: key, device: owner.device, pairedAt: time)
        (row.sealed, row.isActive) = (text, false)
        return row
    }

    /// The wrapped vault key that the row has; `nil` if it is another one.
    package var wrappedKey: String? { key.gateway.hasPrefix(Self.wrappedKeyPrefix) && !sealed.isEmpty ? sealed : nil }
}
