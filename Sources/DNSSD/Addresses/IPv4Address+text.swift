extension IPv4Address: LosslessStringConvertible {
    /// Reads four decimal numbers separated by dots, and nothing else.
    ///
    /// The short, octal and hexadecimal forms that `inet_aton` accepts (`127.1`, `0x7f.1`) are refused: they are used
    /// to slip loopback past a check.
    public init?(_ text: String) {
        guard text.utf8.count <= 15 else { return nil }
        self.init(ascii: Array(text.utf8)[...])
    }

    init?(ascii: ArraySlice<UInt8>) {
        let parts = ascii.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            let hasLeadingZero = part.count > 1 && part.first == UInt8(ascii: "0")
            guard (1...3).contains(part.count), !hasLeadingZero else { return nil }
            var value: UInt32 = 0
            for digit in part {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                value = value * 10 + UInt32(digit - UInt8(ascii: "0"))
            }
            guard value <= 255 else { return nil }
            bits = bits << 8 | value
        }
        self.init(bits: bits)
    }

    /// Dotted decimal, such as `10.0.0.1`.
    public var description: String {
        "\(bits >> 24).\(bits >> 16 & 0xFF).\(bits >> 8 & 0xFF).\(bits & 0xFF)"
    }
}
