extension IPv6Address: LosslessStringConvertible {
    /// Reads any form of RFC 4291 §2.2, without a scope.
    public init?(_ text: String) {
        self.init(text, interfaces: [])
    }

    /// Reads any form of RFC 4291 §2.2, with a scope such as `%eth0` or `%2` (RFC 4007 §11).
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - interfaces: The interfaces among which a scope is looked up, by name and then by index. The result is `nil` if
    ///     the scope is not among them, or if the address is not link-local.
    package init?(_ text: String, interfaces: some Sequence<NetworkInterface>) {
        // The longest address has 45 characters; an interface name has up to 15 bytes on Linux and more elsewhere.
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, let bits = Self.bits(of: Array(address.utf8)[...]) else { return nil }
        guard parts.count == 2 else {
            self.init(bits: bits)
            return
        }
        let zone = String(parts[1])
        let candidates = Array(interfaces)
        let scope = candidates.first { $0.name == zone } ?? candidates.first { String($0.index) == zone }
        self.init(bits: bits, scope: scope)
        guard self.scope != nil else { return nil }
    }

    private static func bits(of ascii: ArraySlice<UInt8>) -> UInt128? {
        let colon = UInt8(ascii: ":")
        let gap = ascii.indices.dropLast().first { ascii[$0] == colon && ascii[$0 + 1] == colon }
        let groups: [UInt16]
        if let gap {
            guard let head = Self.groups(of: ascii[..<gap], canEndInIPv4: false),
                let tail = Self.groups(of: ascii[(gap + 2)...], canEndInIPv4: true),
                head.count + tail.count < 8
            else { return nil }
            groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        } else {
            guard let all = Self.groups(of: ascii, canEndInIPv4: true), all.count == 8 else { return nil }
            groups = all
        }
        return groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func groups(of ascii: ArraySlice<UInt8>, canEndInIPv4: Bool) -> [UInt16]? {
        guard !ascii.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = ascii.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (offset, part) in parts.enumerated() {
            if canEndInIPv4, offset == parts.count - 1, let address = IPv4Address(ascii: part) {
                groups.append(UInt16(truncatingIfNeeded: address.bits >> 16))
                groups.append(UInt16(truncatingIfNeeded: address.bits))
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var group: UInt16 = 0
            for byte in part {
                // `hexDigitValue` of a Character would accept full-width digits as well.
                switch ASCIICase.lowered(byte) {
                case let digit where digit &- 0x30 < 10: group = group << 4 | UInt16(digit - 0x30)
                case let digit where digit &- 0x61 < 6: group = group << 4 | UInt16(digit - 0x61 + 10)
                default: return nil
                }
            }
            groups.append(group)
        }
        return groups
    }

    /// The text of RFC 5952: lower case, with the longest run of zeros shortened, and with `%eth0` if there is a
    /// ``scope``.
    public var description: String {
        let zone = scope.map { "%\($0.name)" } ?? ""
        if let mapped = mappedIPv4 { return "::ffff:\(mapped)\(zone)" }
        let groups = stride(from: UInt128(112), through: 0, by: -16).map { UInt16(truncatingIfNeeded: bits >> $0) }
        let run = Self.longestZeroRun(in: groups)
        let head = groups[..<run.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
        guard !run.isEmpty else { return head + zone }
        let tail = groups[run.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
        return "\(head)::\(tail)\(zone)"
    }

    /// Returns the run that RFC 5952 §4.2 shortens: the first of the longest ones, and none of a single zero.
    private static func longestZeroRun(in groups: [UInt16]) -> Range<Int> {
        var longest = groups.count..<groups.count
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > max(longest.count, 1) {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}
