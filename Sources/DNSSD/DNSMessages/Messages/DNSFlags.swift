/// The second word of a message's header (RFC 1035 §4.1.1).
package struct DNSFlags: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A standard query: everything 0, as in every multicast DNS query (RFC 6762 §18).
    package static let query = DNSFlags(rawValue: 0)

    /// An authoritative response: the flags of every multicast DNS response (RFC 6762 §18.4).
    package static let authoritativeResponse = DNSFlags(rawValue: 0x8400)

    /// A change to a zone (RFC 2136 §2.2): everything but the opcode 0.
    package static let update = DNSFlags(rawValue: 0x2800)

    /// QR: the message is a response.
    package var isResponse: Bool {
        get { self[0x8000] }
        set { self[0x8000] = newValue }
    }

    /// The kind of message.
    package var opcode: DNSOpcode {
        get { DNSOpcode(rawValue: UInt8(truncatingIfNeeded: rawValue >> 11)) }
        set { rawValue = rawValue & 0x87FF | UInt16(newValue.rawValue) << 11 }
    }

    /// TC: the message has been truncated. In a multicast DNS query: more known answers follow (RFC 6762 §7.2).
    package var isTruncated: Bool {
        get { self[0x0200] }
        set { self[0x0200] = newValue }
    }

    /// The outcome that a response reports. In multicast DNS it is 0, and a message with any other value is ignored
    /// (RFC 6762 §18.11).
    package var responseCode: DNSResponseCode {
        get { DNSResponseCode(rawValue: UInt8(truncatingIfNeeded: rawValue)) }
        set { rawValue = rawValue & 0xFFF0 | UInt16(newValue.rawValue) }
    }

    private subscript(_ bit: UInt16) -> Bool {
        get { rawValue & bit != 0 }
        set { rawValue = newValue ? rawValue | bit : rawValue & ~bit }
    }
}

/// The kind of message (RFC 1035 §4.1.1), in four bits.
package struct DNSOpcode: RawRepresentable, Hashable, Sendable {
    /// The number, 0–15.
    package let rawValue: UInt8

    /// Creates an opcode from its number; bits above the fourth are ignored.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    /// A query or its response. This is the only opcode in multicast DNS (RFC 6762 §18.3).
    package static let query = DNSOpcode(rawValue: 0)

    /// A change to a zone, or its response (RFC 2136 §2.2).
    package static let update = DNSOpcode(rawValue: 5)
}
