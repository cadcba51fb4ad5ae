internal import DNSSD

/// The kernel's answer to a request for its neighbour table: messages of rtnetlink (rtnetlink(7)), each with one entry.
/// Pure: bytes in, entries out.
extension NeighbourTable {
    /// The progress of an answer that is being read.
    enum Progress: Hashable {
        /// More is to be read.
        case incomplete

        /// That was all.
        case complete

        /// The kernel refuses, or these are no messages of netlink.
        case failed
    }

    // Of <linux/netlink.h> and <linux/rtnetlink.h>, which Swift's modules for the C library leave out.
    private enum MessageType {
        static let error: UInt16 = 2  // NLMSG_ERROR
        static let done: UInt16 = 3  // NLMSG_DONE
        static let newNeighbour: UInt16 = 28  // RTM_NEWNEIGH
        static let getNeighbour: UInt16 = 30  // RTM_GETNEIGH
    }

    /// NLM_F_REQUEST and NLM_F_DUMP of <linux/netlink.h>.
    private static let dumpFlags: UInt16 = 0x001 | 0x300

    /// NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE and NUD_PERMANENT of <linux/neighbour.h>: an entry with an address
    /// that was right when it was last needed, or set by hand.
    private static let usableStates: UInt16 = 0x02 | 0x04 | 0x08 | 0x10 | 0x80

    /// `struct nlmsghdr`, and `struct ndmsg` behind it.
    private static let headerLength = 16
    private static let entryLength = 12

    /// NDA_DST and NDA_LLADDR of <linux/neighbour.h>.
    private static let addressAttribute: UInt16 = 1
    private static let hardwareAttribute: UInt16 = 2

    /// The question for all entries of both families.
    static func request(sequence: UInt32) -> [UInt8] {
        let length = headerLength + entryLength
        return native(UInt32(length)) + native(MessageType.getNeighbour) + native(dumpFlags) + native(sequence)
            + [UInt8](repeating: 0, count: length - 12)
    }

    /// Takes in what was read in one go: whole messages. Answers to other questions are left alone.
    mutating func take(_ bytes: ArraySlice<UInt8>, sequence: UInt32) -> Progress {
        var rest = bytes
        while rest.count >= Self.headerLength {
            guard let length = Self.uint32(rest, at: 0), let type = Self.uint16(rest, at: 4),
                (Self.headerLength...rest.count).contains(Int(length))
            else { return .failed }
            let message = rest.prefix(Int(length))
            rest = rest.dropFirst(Self.aligned(Int(length)))
            guard Self.uint32(message, at: 8) == sequence else { continue }
            switch type {
            case MessageType.done: return .complete
            case MessageType.error: return .failed
            case MessageType.newNeighbour: takeEntry(message.dropFirst(Self.headerLength))
            default: continue
            }
        }
        return .incomplete
    }

    private mutating func takeEntry(_ entry: ArraySlice<UInt8>) {
        guard let family = entry.first, let index = Self.uint32(entry, at: 4), index > 0,
            let state = Self.uint16(entry, at: 8), state & Self.usableStates != 0, entry.count >= Self.entryLength
        else { return }
        var address: IPAddress?
        var hardware: HardwareAddress?
        var attributes = entry.dropFirst(Self.entryLength)
        // Each has its length, its type, and what it is about.
        while let length = Self.uint16(attributes, at: 0), let type = Self.uint16(attributes, at: 2) {
            guard (4...attributes.count).contains(Int(length)) else { return }
            let value = attributes.prefix(Int(length)).dropFirst(4)
            attributes = attributes.dropFirst(Self.aligned(Int(length)))
            switch type {
            case Self.addressAttribute: address = Self.address(value, family: family)
            case Self.hardwareAttribute: hardware = HardwareAddress(value)
            default: continue
            }
        }
        guard let address, let hardware, !address.isMulticast else { return }
        insert(hardware, for: address, interface: index)
    }

    private static func address(_ bytes: ArraySlice<UInt8>, family: UInt8) -> IPAddress? {
        switch family {
        case 2: IPv4Address(bytes: bytes).map(IPAddress.v4)  // AF_INET
        case 10: IPv6Address(bytes: bytes).map(IPAddress.v6)  // AF_INET6
        default: nil
        }
    }

    // MARK: Numbers, in the byte order of this machine

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    private static func uint16(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt16? {
        number(bytes, at: offset, size: 2).map { UInt16(truncatingIfNeeded: $0) }
    }

    private static func uint32(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32? {
        number(bytes, at: offset, size: 4)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, size: Int) -> UInt32? {
        let field = bytes.dropFirst(offset).prefix(size)
        guard field.count == size else { return nil }
        let isLittleEndian = 1.littleEndian == 1
        return (isLittleEndian ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func native(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }
}
