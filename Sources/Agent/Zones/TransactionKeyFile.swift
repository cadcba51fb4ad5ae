package import DNSSD
package import Discovery
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// A file with a key that is shared with a DNS server, as `tsig-keygen` writes it and BIND's configuration has it.
package enum TransactionKeyFile {
    /// The maximum number of bytes that a file may have.
    private static let limit = 4_096

    /// A key with its name.
    struct Key: Sendable {
        let name: DomainName
        let shared: SharedKey
    }

    /// Reads a file. A key that is renewed there, under the same name, is in force at once.
    ///
    /// - Throws: ``BackendError`` with the code `invalid`, also when others can read the file. It quotes nothing of the content.
    package static func signer(at path: String) throws(BackendError) -> TransactionSigner {
        let key = try read(path)
        return TransactionSigner(name: key.name) { bytes in
            let latest = try? read(path)
            return (latest?.name == key.name ? latest ?? key : key).shared.code(for: bytes)
        }
    }

    private static func read(_ path: String) throws(BackendError) -> Key {
        let content: [UInt8]?
        do throws(SafeFileError) {
            content = try SafeFile(path: FilePath(path)).readGiven(limit: limit)
        } catch {
            throw BackendError(.invalid, "\(error)")
        }
        guard let content else { throw BackendError(.invalid, "\(path): expected the file of a key, found none.") }
        defer { content.wipe() }
        guard let key = key(content) else {
            throw BackendError(
                .invalid,
                "\(path): expected key \"NAME\" { algorithm hmac-sha256; secret \"…\"; }; as tsig-keygen writes it, found "
                    + "something else."
            )
        }
        return key
    }

    /// Returns the key that a text defines; `nil` unless it defines one, for the algorithm that there is here.
    static func key(_ content: [UInt8]) -> Key? {
        let words = words(of: content)
        guard words.count == 11, words[0] == "key", words[2] == "{", words[5] == ";", words[8] == ";",
            words[9] == "}", words[10] == ";", words[3] != words[6]
        else { return nil }
        let values = [words[3]: words[4], words[6]: words[7]]
        guard values["algorithm"].map({ ASCIICase.lowered($0) }) == "hmac-sha256",
            let secret = values["secret"].flatMap({ Base64.standard.decode($0) }), !secret.isEmpty,
            let name = try? DomainName(escaped: words[1])
        else { return nil }
        return Key(name: name, shared: SharedKey(Secret(bytes: secret)))
    }

    /// Returns the words of a text, without quotation marks and without lines that are comments.
    private static func words(of content: [UInt8]) -> [String] {
        let lines = content.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            .map { String(decoding: $0.drop { $0 <= 0x20 }, as: UTF8.self) }
            .filter { !$0.hasPrefix("#") && !$0.hasPrefix("//") }
        var words = [""]
        for character in lines.joined(separator: " ") {
            switch character {
            case "{", "}", ";": words += [String(character), ""]
            case " ", "\t", "\"": words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
