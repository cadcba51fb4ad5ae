import DNSSD

/// Reads single values of a gateway's TXT record, and records those that cannot be used.
///
/// A key without a value, or with an empty one, counts as absent.
struct GatewayAdvertisementReader {
    private(set) var problems: [GatewayAdvertisementProblem] = []
    private let txt: TXTRecord

    init(_ txt: TXTRecord) {
        self.txt = txt
    }

    private func bytes(forKey key: String) -> [UInt8]? {
        guard let bytes = txt.bytes(forKey: key), !bytes.isEmpty else { return nil }
        return bytes
    }

    private mutating func note(_ key: String, _ found: [UInt8], expected: String) {
        problems.append(GatewayAdvertisementProblem(key: key, found: found, expected: expected))
    }

    mutating func fingerprint(forKey key: String) -> GatewayFingerprint? {
        guard let bytes = bytes(forKey: key) else { return nil }
        let fingerprint = GatewayFingerprint(bytes: bytes)
        if fingerprint == nil { note(key, bytes, expected: "1 to \(GatewayFingerprint.maximumLength) bytes") }
        return fingerprint
    }

    mutating func text(forKey key: String, limit: Int) -> String? {
        guard let bytes = bytes(forKey: key) else { return nil }
        guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
            note(key, bytes, expected: "UTF-8 of at most \(limit) bytes")
            return nil
        }
        return text
    }

    /// Returns a text that is more than white space.
    mutating func name(forKey key: String) -> String? {
        guard let name = text(forKey: key, limit: TXTRecord.maximumStringLength) else { return nil }
        return name.allSatisfy(\.isWhitespace) ? nil : name
    }

    mutating func integer(forKey key: String, in range: ClosedRange<Int>) -> Int? {
        guard let bytes = bytes(forKey: key) else { return nil }
        var value = 0
        // `Int.init` accepts signs too. Nine digits cannot overflow.
        for byte in bytes where bytes.count <= 9 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                value = -1
                break
            }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard bytes.count <= 9, range.contains(value) else {
            note(key, bytes, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    mutating func boolean(forKey key: String) -> Bool? {
        guard let bytes = bytes(forKey: key) else { return nil }
        switch String(decoding: bytes.map { ASCIICase.lowered($0) }, as: UTF8.self) {
        case "1", "true", "yes":
            return true
        case "0", "false", "no":
            return false
        default:
            note(key, bytes, expected: "1 or 0, true or false, yes or no")
            return nil
        }
    }

    /// Reads the two keys of one era. A certificate without the flag implies TLS.
    mutating func tls(prefix: String) -> TLSHint? {
        let isEnabled = boolean(forKey: "\(prefix)Tls")
        let sha256 = sha256(forKey: "\(prefix)TlsSha256")
        guard isEnabled != nil || sha256 != nil else { return nil }
        return TLSHint(isEnabled: isEnabled ?? true, sha256: sha256)
    }

    private mutating func sha256(forKey key: String) -> String? {
        guard let bytes = bytes(forKey: key) else { return nil }
        var digits = bytes.map { ASCIICase.lowered($0) }
        let prefix = Array("sha256:".utf8)
        if digits.starts(with: prefix) { digits.removeFirst(prefix.count) }
        digits.removeAll { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
        let isHex = digits.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
        guard digits.count == 64, isHex else {
            note(key, bytes, expected: "64 hexadecimal digits")
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
