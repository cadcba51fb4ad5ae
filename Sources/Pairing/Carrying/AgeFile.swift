internal import Crypto
internal import FoundationEssentials
package import GatewayProtocol

/// Files of age (age-encryption.org/v1) that a passphrase opens: `age -d` opens what is sealed here, and the reverse.
package enum AgeFile {
    /// The reason why a file was not opened.
    package enum Problem: Error, Hashable, Sendable {
        /// It is none of age, or one in the form for mails (`age --armor`).
        case isNoAgeFile
        /// It was sealed for keys, and not for a passphrase.
        case hasNoPassphrase
        /// It demands more work than is done for any file: 2 to this power.
        case demandsTooMuch(Int)
        /// The passphrase is another one.
        case isOtherPassphrase
        /// It was changed, or cut off.
        case isDamaged
        /// There is no memory for that much work.
        case lacksMemory
    }

    /// The derivation of a key from a passphrase: ``Scrypt`` but for tests.
    typealias Derivation = (_ passphrase: Secret, _ salt: [UInt8], _ factor: Int) -> SymmetricKey?

    private static let firstLine = "age-encryption.org/v1\n"
    private static let label = "age-encryption.org/v1/scrypt"
    private static let chunkBytes = 65_536
    private static let tagBytes = 16

    /// Seals content with a passphrase that is not empty.
    package static func seal(_ content: Secret, with passphrase: Secret) throws(Problem) -> [UInt8] {
        try seal(content, with: passphrase, factor: Scrypt.usualFactor, by: Scrypt.key)
    }

    /// Opens a file.
    package static func open(_ file: [UInt8], with passphrase: Secret) throws(Problem) -> Secret {
        try open(file, with: passphrase, by: Scrypt.key)
    }

    static func seal(
        _ content: Secret,
        with passphrase: Secret,
        factor: Int,
        by derive: Derivation
    ) throws(Problem) -> [UInt8] {
        let (fileKey, salt) = (SymmetricKey(size: .bits128), Scrypt.salt())
        guard let wrapping = derive(passphrase, Array(label.utf8) + salt, factor),
            let stanza = fileKey.withUnsafeBytes({ Self.sealed($0, wrapping, Self.nonce(0, isLast: false)) })
        else { throw .lacksMemory }
        let header = "\(firstLine)-> scrypt \(text(salt)) \(factor)\n\(text(stanza))\n---"
        let nonce = Scrypt.salt()
        let key = derived(fileKey, salt: nonce, "payload")
        let mac = HMAC<SHA256>.authenticationCode(for: Array(header.utf8), using: derived(fileKey, "header"))
        var file = Array("\(header) \(text(Array(mac)))\n".utf8) + nonce
        for (number, start) in stride(from: 0, to: max(content.count, 1), by: chunkBytes).enumerated() {
            let end = min(start + chunkBytes, content.count)
            let chunk = content.withUnsafeBytes {
                Self.sealed(.init(rebasing: $0[start..<end]), key, Self.nonce(number, isLast: end == content.count))
            }
            guard let chunk else { throw .lacksMemory }
            file += chunk
        }
        return file
    }

    static func open(_ file: [UInt8], with passphrase: Secret, by derive: Derivation) throws(Problem) -> Secret {
        let header = try Header(file)
        guard header.factor <= Scrypt.greatestFactor else { throw .demandsTooMuch(header.factor) }
        guard let wrapping = derive(passphrase, Array(label.utf8) + header.salt, header.factor) else {
            throw .lacksMemory
        }
        guard let opened = Self.opened(header.wrappedKey[...], wrapping, nonce(0, isLast: false)) else {
            throw .isOtherPassphrase
        }
        defer { opened.wipe() }
        let fileKey = SymmetricKey(data: opened)
        let isWhole = HMAC<SHA256>.isValidAuthenticationCode(
            header.mac,
            authenticating: header.authenticated,
            using: derived(fileKey, "header")
        )
        let payload = file[header.end...]
        guard isWhole, payload.count >= 16 + tagBytes else { throw .isDamaged }
        return try content(payload.dropFirst(16), derived(fileKey, salt: Array(payload.prefix(16)), "payload"))
    }

    /// Opens the chunks, each of which says by its nonce its number, and whether it is the last.
    private static func content(_ sealed: ArraySlice<UInt8>, _ key: SymmetricKey) throws(Problem) -> Secret {
        var content: [UInt8] = []
        // An array that grows leaves copies of its content behind.
        content.reserveCapacity(sealed.count)
        defer { content.wipe() }
        var (rest, number) = (sealed, 0)
        repeat {
            let chunk = rest.prefix(chunkBytes + tagBytes)
            rest = rest.dropFirst(chunk.count)
            guard let opened = Self.opened(chunk, key, nonce(number, isLast: rest.isEmpty)),
                !opened.isEmpty || number == 0
            else { throw .isDamaged }
            content += opened
            opened.wipe()
            number += 1
        } while !rest.isEmpty
        return Secret(bytes: content)
    }

    // MARK: Primitives

    private static func nonce(_ number: Int, isLast: Bool) -> [UInt8] {
        let counter = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        return [0, 0, 0] + counter + [isLast ? 1 : 0]
    }

    private static func sealed(_ bytes: UnsafeRawBufferPointer, _ key: SymmetricKey, _ nonce: [UInt8]) -> [UInt8]? {
        guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(bytes, using: key, nonce: nonce)
        else { return nil }
        return [UInt8](box.ciphertext) + box.tag
    }

    private static func opened(_ bytes: ArraySlice<UInt8>, _ key: SymmetricKey, _ nonce: [UInt8]) -> [UInt8]? {
        guard bytes.count >= tagBytes, let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce,
                ciphertext: bytes.dropLast(tagBytes),
                tag: bytes.suffix(tagBytes)
            ), var opened = try? ChaChaPoly.open(box, using: key)
        else { return nil }
        defer { opened.resetBytes(in: opened.indices) }
        return Array(opened)
    }

    private static func derived(_ key: SymmetricKey, salt: [UInt8] = [], _ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8), outputByteCount: 32)
    }

    /// Returns bytes in base64 without padding, as age writes them.
    fileprivate static func text(_ bytes: [UInt8]) -> String {
        String(Base64.standard.encode(bytes).prefix { $0 != "=" })
    }
}

extension AgeFile {
    /// The part before the content.
    fileprivate struct Header {
        let salt: [UInt8]
        let factor: Int
        let wrappedKey: [UInt8]
        let mac: [UInt8]
        /// The bytes that the code at its end authenticates.
        let authenticated: [UInt8]
        /// The place at which the content begins.
        let end: Int

        /// Reads a header in its one canonical form: one stanza, which is that of a passphrase.
        init(_ file: [UInt8]) throws(Problem) {
            // One of a single stanza has less than 200 bytes. Others are read far enough to say what they are.
            let lines = file.prefix(1_024).split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
            guard file.starts(with: firstLine.utf8), lines.count > 1 else { throw .isNoAgeFile }
            let words = Self.words(lines[1])
            guard words.first == "->" else { throw .isNoAgeFile }
            guard words.dropFirst().first == "scrypt" else { throw .hasNoPassphrase }
            guard words.count == 4, let factor = Self.number(words[3]), let salt = Self.bytes(words[2], 16),
                lines.count == 5, let wrappedKey = Self.bytes(String(decoding: lines[2], as: UTF8.self), 32)
            else { throw .isDamaged }
            let last = Self.words(lines[3])
            guard last.count == 2, last[0] == "---", let mac = Self.bytes(last[1], 32) else { throw .isDamaged }
            (self.salt, self.factor, self.wrappedKey, self.mac) = (salt, factor, wrappedKey, mac)
            authenticated = Array(file[..<(lines[3].startIndex + 3)])
            end = lines[4].startIndex
        }

        private static func words(_ line: ArraySlice<UInt8>) -> [String] {
            line.split(separator: 0x20, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Reads base64 without padding of so many bytes.
        private static func bytes(_ text: String, _ count: Int) -> [UInt8]? {
            let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            guard !text.contains("="), let bytes = Base64.standard.decode(text + padding), bytes.count == count else {
                return nil
            }
            return bytes
        }

        /// Reads a decimal number without sign or leading zeros.
        private static func number(_ text: String) -> Int? {
            guard let first = text.utf8.first, first != UInt8(ascii: "0"),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            // One that no integer holds demands too much in any case.
            return Int(text) ?? .max
        }
    }
}
