internal import DNSSD
internal import GatewayProtocol

/// The result of trying the key of this device on a row of the cloud.
package enum CloudReading: Hashable, Sendable {
    /// A pairing, or the part of one. Without credentials it is known, and to be paired with again.
    case pairing(CarriedPairing)

    /// The pairing has ended.
    case deleted

    /// The vault key, wrapped by a passphrase: no pairing.
    case wrappedKey

    /// It was sealed with another vault key.
    case foreignKey(id: String)

    /// It is none that was sealed with this key for this row: it was changed, moved or made up, or a later version wrote it.
    case broken
}

/// The column `encrypted_token`: base64 of version (1 byte), key id (8), nonce (12), ciphertext and tag (16), by AES-256-GCM.
///
/// The additional data are user, bot, gateway, device and `paired_at` in microseconds: no server can swap or backdate a row.
extension VaultKey {
    private static let version: UInt8 = 1
    private static let idBytes = 8

    /// The content is filled up with white space to a multiple of this, so that its length tells little of the token.
    private static let block = 256

    /// Seals a part of a pairing for its row.
    func seal(_ part: CarriedPairing, for row: CloudRow) throws -> String {
        let content = part.json.encoded
        defer { content.wipe() }
        let padding = (Self.block - content.count % Self.block) % Self.block
        let padded = [UInt8](unsafeUninitializedCapacity: content.count + padding) { buffer, count in
            count = buffer.initialize(fromContentsOf: content)
            buffer[count...].initialize(repeating: UInt8(ascii: " "))
            count += padding
        }
        defer { padded.wipe() }
        let sealed = try key.seal(Secret(bytes: padded), in: .cloudRow(row))
        return Base64.standard.encode([Self.version] + key.derived(for: "clawradar vault key id 1", count: 8) + sealed)
    }

    /// Returns the identifier of the key that has sealed some bytes, as they say; `nil` if they are none.
    fileprivate static func id(in sealed: [UInt8]) -> String? {
        guard sealed.first == version, sealed.count > 1 + idBytes else { return nil }
        return sealed[1..<1 + idBytes].hexadecimal
    }

    fileprivate func open(_ row: CloudRow) -> CloudReading {
        guard let bytes = Base64.standard.decode(row.sealed), let id = Self.id(in: bytes) else { return .broken }
        guard id == self.id else { return .foreignKey(id: id) }
        guard let opened = key.open(Array(bytes.dropFirst(1 + Self.idBytes)), in: .cloudRow(row)) else {
            return .broken
        }
        let content = opened.withUnsafeBytes { Array($0) }
        defer { content.wipe() }
        let limits = JSONLimits(maximumBytes: CloudRow.maximumSealedBytes, hidesSecrets: true)
        guard let json = try? JSONValue(parsing: content, limits: limits), let part = CarriedPairing(json) else {
            return .broken
        }
        return .pairing(part)
    }
}

extension CloudRow {
    /// Says what the row is, whatever was seen of it before: see ``CloudEntry/receive(_:)``.
    package func opened(with vault: VaultKey) -> CloudReading {
        if key.gateway.hasPrefix(Self.wrappedKeyPrefix) { return .wrappedKey }
        guard isActive else { return .deleted }
        return vault.open(self)
    }

    /// The identifier of the vault key that opens the row, or that is wrapped in it; `nil` if it has neither.
    var vaultID: String? {
        guard !key.gateway.hasPrefix(Self.wrappedKeyPrefix) else {
            return String(key.gateway.dropFirst(Self.wrappedKeyPrefix.count))
        }
        return VaultKey.id(in: Base64.standard.decode(sealed) ?? [])
    }

    /// The prefix of the column `gateway_fingerprint` in a row that has the wrapped vault key.
    static let wrappedKeyPrefix = "vault:"
}

extension SealedPlace {
    /// Returns the place of what a row of the cloud's table has in its column for the token.
    static func cloudRow(_ row: CloudRow) -> SealedPlace {
        SealedPlace(
            "clawradar cloud row 1",
            [row.key.user, row.key.bot, row.key.gateway, row.device, String(row.pairedAt)].map { Array($0.utf8) }
        )
    }
}
