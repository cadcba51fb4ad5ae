internal import DNSSD

/// A message of rtnetlink (rtnetlink(7)), in which the kernel describes neighbours and routes. It does no I/O: bytes
/// in, values out.
struct NetlinkMessage {
    /// The progress of an answer that is being read.
    enum Progress: Hashable {
        /// More messages are to follow.
        case incomplete

        /// The answer is complete.
        case complete

        /// The kernel refused the request, or the bytes are not netlink messages.
        case failed
    }

    // From <linux/netlink.h>, which Swift's modules for the C library leave out.
    private static let error: UInt16 = 2  // NLMSG_ERROR
    private static let done: UInt16 = 3  // NLMSG_DONE

    /// NLM_F_REQUEST, and NLM_F_DUMP, which in addition asks for all entries of a table.
    private static let requestFlag: UInt16 = 0x001
    private static let dumpFlags: UInt16 = 0x300

    /// The length of `struct nlmsghdr`.
    private static let headerLength = 16

    /// The length of an attribute's header, which holds its length and type.
    private static let attributeHeaderLength = 4

    /// The type of the message.
    let type: UInt16

    /// The fixed part of the message, and its attributes after that.
    let body: ArraySlice<UInt8>

    /// Returns a request.
    ///
    /// - Parameters:
    ///   - type: The type of the request.
    ///   - body: The fixed part and the attributes.
    ///   - isForTable: Whether it requests all entries of a table.
    ///   - sequence: The number that the answer repeats.
    static func request(_ type: UInt16, body: [UInt8], isForTable: Bool, sequence: UInt32) -> [UInt8] {
        let flags = isForTable ? requestFlag | dumpFlags : requestFlag
        return native(UInt32(headerLength + body.count)) + native(type) + native(flags) + native(sequence)
            + native(UInt32(0)) + body
    }

    /// Reads the whole messages of one read. Answers to other requests are ignored.
    static func read(_ bytes: ArraySlice<UInt8>, sequence: UInt32, _ take: (NetlinkMessage) -> Void) -> Progress {
        var rest = bytes
        while rest.count >= headerLength {
            guard let length = uint32(rest, at: 0), let type = uint16(rest, at: 4),
                (headerLength...rest.count).contains(Int(length))
            else { return .failed }
            let message = rest.prefix(Int(length))
            rest = rest.dropFirst(aligned(Int(length)))
            guard uint32(message, at: 8) == sequence else { continue }
            switch type {
            case done: return .complete
            case error: return .failed
            default: take(NetlinkMessage(type: type, body: message.dropFirst(headerLength)))
            }
        }
        return .incomplete
    }

    // MARK: Attributes

    /// Returns an attribute with its padding.
    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let length = attributeHeaderLength + value.count
        return native(UInt16(length)) + native(type) + value
            + [UInt8](repeating: 0, count: aligned(length) - length)
    }

    /// Reads attributes one after the other, up to the first incomplete one.
    ///
    /// - Returns: Whether all of them were complete.
    @discardableResult
    static func readAttributes(_ bytes: ArraySlice<UInt8>, _ take: (UInt16, ArraySlice<UInt8>) -> Void) -> Bool {
        var rest = bytes
        // Each attribute has its length, its type and its value.
        while let length = uint16(rest, at: 0), let type = uint16(rest, at: 2) {
            guard (attributeHeaderLength...rest.count).contains(Int(length)) else { return false }
            // The two highest bits say how the value is encoded; they are not part of the type (NLA_TYPE_MASK).
            take(type & 0x3FFF, rest.prefix(Int(length)).dropFirst(attributeHeaderLength))
            rest = rest.dropFirst(aligned(Int(length)))
        }
        return true
    }

    /// The address families by the kernel's numbers.
    enum Family {
        static let ipv4: UInt8 = 2  // AF_INET
        static let ipv6: UInt8 = 10  // AF_INET6
    }

    /// Returns the address with these bytes; `nil` if the family is neither of the two, or the number of bytes does not
    /// fit it.
    static func address(_ bytes: ArraySlice<UInt8>, family: UInt8) -> IPAddress? {
        switch family {
        case Family.ipv4: IPv4Address(bytes: bytes).map(IPAddress.v4)
        case Family.ipv6: IPv6Address(bytes: bytes).map(IPAddress.v6)
        default: nil
        }
    }

    // MARK: Numbers, in the byte order of this machine

    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    static func uint16(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt16? {
        number(bytes, at: offset, size: 2).map { UInt16(truncatingIfNeeded: $0) }
    }

    static func uint32(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32? {
        number(bytes, at: offset, size: 4)
    }

    static func native(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, size: Int) -> UInt32? {
        let field = bytes.dropFirst(offset).prefix(size)
        guard field.count == size else { return nil }
        let isLittleEndian = 1.littleEndian == 1
        return (isLittleEndian ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
