import Crypto
import GatewayProtocol
import Testing

@testable import Pairing

/// Files of age: what other programs open, what is opened of theirs, and what is refused.
@Suite struct AgeFileTests {
    private static let passphrase = Secret("correct horse")

    /// A derivation that costs nothing, and depends on all that the real one does.
    private static func cheap(_ passphrase: Secret, _ salt: [UInt8], _ factor: Int) -> SymmetricKey? {
        var hash = SHA256()
        passphrase.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.update(data: salt + [UInt8(factor)])
        return SymmetricKey(data: Array(hash.finalize()))
    }

    /// `printf hello | age -p` of age 1.1.1, with the passphrase above.
    private static let ofAge = """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBTZnlSUElzd1hyQkJmMkxwTjhTMnhBIDE4Ck8rYUQ0Zkt2NGkwMDF4RDF3RW1yMjNrRjVB\
        em5qZEhsK1FVNXRWMXhISFkKLS0tIE1HeE5ESGF0dFlwS2Y4VkR5Nm14YVJCbXZIWlZnNC8zak43MEN0RzE4d3MKemxpQn24LTbzzNHJFXsqgNox\
        P9EEvCAsxCopxJgr72kkV/ln3Q==
        """

    private static func sealed(_ bytes: [UInt8], factor: Int = 10) throws -> [UInt8] {
        try AgeFile.seal(Secret(bytes: bytes), with: passphrase, factor: factor, by: cheap)
    }

    private static func problem(_ file: [UInt8], _ passphrase: Secret = passphrase) -> AgeFile.Problem? {
        do throws(AgeFile.Problem) {
            _ = try AgeFile.open(file, with: passphrase, by: cheap)
            return nil
        } catch {
            return error
        }
    }

    /// What `age -p` made is opened. scrypt's answer is given, since it takes a second and 256 MiB.
    @Test func aFileOfAgeIsOpened() throws {
        let file = try #require(Base64.standard.decode(Self.ofAge))
        let opened = try AgeFile.open(file, with: Self.passphrase) { passphrase, salt, factor in
            #expect(passphrase == Self.passphrase && factor == 18)
            #expect(
                salt == Array("age-encryption.org/v1/scrypt".utf8) + [
                    0x49, 0xFC, 0x91, 0x3C, 0x8B, 0x30, 0x5E, 0xB0, 0x41, 0x7F, 0x62, 0xE9, 0x37, 0xC4, 0xB6, 0xC4,
                ]
            )
            return SymmetricKey(
                data: [
                    0x54, 0x0D, 0x00, 0x7C, 0x86, 0x84, 0xCD, 0xAE, 0x7C, 0xBE, 0x49, 0x91, 0x07, 0x79, 0xF7, 0xA0,
                    0x39, 0xFD, 0x68, 0x7D, 0xF1, 0x50, 0x34, 0xEE, 0xEB, 0xE1, 0xBB, 0x14, 0x17, 0x28, 0x44, 0x32,
                ] as [UInt8]
            )
        }
        #expect(opened == Secret("hello"))
    }

    /// scrypt is that of RFC 7914 §12, and is bounded before it takes memory.
    @Test func scryptIsThatOfTheStandard() throws {
        let key = try #require(Scrypt.key(Secret("pleaseletmein"), salt: Array("SodiumChloride".utf8), factor: 14))
        #expect(
            key.withUnsafeBytes { SealingKey(Secret(bytes: $0))?.bytes }
                == SealingKey(Secret("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))?.bytes
        )
        #expect(Scrypt.key(Secret(""), salt: [], factor: 1) == nil)
        for factor in [0, -1, 21, 30, 63, 64, .max] {
            #expect(Scrypt.key(Self.passphrase, salt: [], factor: factor) == nil)
        }
    }

    /// Content of any length comes back, at the ends of chunks too.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) func contentComesBack(count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try Self.sealed(content)
        #expect(try AgeFile.open(file, with: Self.passphrase, by: Self.cheap) == Secret(bytes: content))
    }

    /// No byte can be changed, none left out and none added.
    @Test func aChangedFileIsRefused() throws {
        let file = try Self.sealed(Array("hello".utf8))
        for index in file.indices {
            var changed = file
            changed[index] ^= 1
            #expect(Self.problem(changed) != nil, "byte \(index)")
            #expect(Self.problem(Array(file[..<index])) != nil, "the first \(index) bytes")
        }
        #expect(Self.problem(file + [0]) == .isDamaged)
        #expect(Self.problem(file, Secret("other")) == .isOtherPassphrase)
        // The chunks of a longer one: left out, swapped, and an empty one at the end.
        let long = try Self.sealed([UInt8](repeating: 7, count: 131_072))
        let start = long.count - 2 * 65_552
        #expect(Self.problem(Array(long[..<(start + 65_552)])) == .isDamaged)
        let swapped = long[..<start] + long[(start + 65_552)...] + long[start..<(start + 65_552)]
        #expect(Self.problem(Array(swapped)) == .isDamaged)
    }

    /// A header that demands 2³⁰ is refused before anything is derived, and one in another form is none.
    @Test func aHeaderThatDemandsTooMuchIsRefused() throws {
        let file = try Self.sealed(Array("hello".utf8))
        func with(_ factor: String) throws -> AgeFile.Problem? {
            let text = Array(" 10\n".utf8)
            let at = try #require(file.indices.first { file[$0...].starts(with: text) })
            let changed = file[..<at] + Array(" \(factor)\n".utf8) + file[(at + text.count)...]
            do throws(AgeFile.Problem) {
                _ = try AgeFile.open(Array(changed), with: Self.passphrase) { _, _, factor in
                    #expect(factor <= 20)
                    return nil
                }
                return nil
            } catch {
                return error
            }
        }
        #expect(try with("30") == .demandsTooMuch(30))
        #expect(try with("21") == .demandsTooMuch(21))
        #expect(try with("99999999999999999999") == .demandsTooMuch(.max))
        #expect(try with("20") == .lacksMemory)
        for factor in ["", "0", "-1", "+9", "010", "0x9", "9 9", "9\r", "nine"] {
            #expect(try with(factor) == .isDamaged, "\(factor)")
        }
        #expect(Self.problem([]) == .isNoAgeFile)
        #expect(Self.problem(Array("-----BEGIN AGE ENCRYPTED FILE-----\n".utf8)) == .isNoAgeFile)
        #expect(Self.problem(Array("age-encryption.org/v1\n-> X25519 abc\n".utf8)) == .hasNoPassphrase)
        #expect(Self.problem(Array("age-encryption.org/v1\n-> scrypt\n".utf8)) == .isDamaged)
    }

    /// A recovery code is typed as it is read, and a slip of the pen is noticed.
    @Test func aRecoveryCodeIsTyped() throws {
        let vault = VaultKey()
        let code = RecoveryCode(vault)
        let text = try #require(code.text.revealed)
        #expect(text.count == 69 && text.split(separator: "-").count == RecoveryCode.groups)
        #expect(RecoveryCode.key(code.text) == vault)
        #expect(RecoveryCode.key(Secret(" \(text.lowercased().replacing("-", with: "  "))\n")) == vault)
        #expect(RecoveryCode.key(Secret(text.replacing("0", with: "o").replacing("1", with: "l"))) == vault)
        for (index, character) in text.enumerated() where character != "-" {
            var slip = Array(text)
            slip[index] = character == "2" ? "3" : "2"
            #expect(RecoveryCode.key(Secret(String(slip))) == nil)
        }
        for wrong in ["", "u", String(text.dropLast()), text + "0", "é"] {
            #expect(RecoveryCode.key(Secret(wrong)) == nil)
        }
        for (number, group) in text.split(separator: "-").enumerated() {
            #expect(code.hasGroup(number + 1, group.lowercased()))
            #expect(!code.hasGroup(number + 1, "\(group)0") && !code.hasGroup(number + 1, ""))
        }
        #expect(!code.hasGroup(0, "") && !code.hasGroup(15, ""))
    }

    /// A passphrase brings the vault key to another device, and nothing else opens it.
    @Test func aPassphraseOpensTheVaultKey() throws {
        let vault = VaultKey()
        let text = try WrappedVaultKey.wrap(vault, with: Self.passphrase, factor: 9, by: Self.cheap)
        func problem(_ text: String, _ passphrase: Secret = Self.passphrase) -> WrappedVaultKey.Problem? {
            do throws(WrappedVaultKey.Problem) {
                _ = try WrappedVaultKey.unwrap(text, with: passphrase, by: Self.cheap)
                return nil
            } catch {
                return error
            }
        }
        #expect(try WrappedVaultKey.unwrap(text, with: Self.passphrase, by: Self.cheap) == vault)
        #expect(problem(text, Secret("other")) == .isOtherPassphrase)
        let bytes = try #require(Base64.standard.decode(text))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(problem(Base64.standard.encode(changed)) != nil, "byte \(index)")
        }
        // No server makes a device take a gigabyte and more.
        var greedy = bytes
        greedy[1] = 30
        #expect(problem(Base64.standard.encode(greedy)) == .demandsTooMuch(30))
        for wrong in ["", "AA==", String(repeating: "A", count: 4_000)] { #expect(problem(wrong) == .isUnreadable) }
        let owner = CloudOwner(user: "u", device: "d")
        let row = CloudRow.wrappedKey(text, id: vault.id, of: owner, at: 1)
        #expect(row.opened(with: VaultKey()) == .wrappedKey && !row.isActive)
    }
}
