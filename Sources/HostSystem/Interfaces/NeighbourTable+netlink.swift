internal import DNSSD

/// Parsing of the kernel's answer to a request for its neighbour table: rtnetlink messages (rtnetlink(7)) with one
/// entry each. It does no I/O: bytes in, entries out.
extension NeighbourTable {
    // From <linux/rtnetlink.h>, which Swift's modules for the C library leave out.
    private static let newNeighbour: UInt16 = 28  // RTM_NEWNEIGH
    private static let getNeighbour: UInt16 = 30  // RTM_GETNEIGH

    /// NUD_REACHABLE, NUD_STALE, NUD_DELAY, NUD_PROBE and NUD_PERMANENT of <linux/neighbour.h>: the states of an entry
    /// whose address was right when it was last needed, or was set by hand.
    private static let usableStates: UInt16 = 0x02 | 0x04 | 0x08 | 0x10 | 0x80

    /// The length of `struct ndmsg`.
    private static let entryLength = 12

    /// NDA_DST and NDA_LLADDR of <linux/neighbour.h>.
    private static let addressAttribute: UInt16 = 1
    private static let hardwareAttribute: UInt16 = 2

    /// Returns the request for all entries of both families.
    static func request(sequence: UInt32) -> [UInt8] {
        let entry = [UInt8](repeating: 0, count: entryLength)
        return NetlinkMessage.request(getNeighbour, body: entry, isForTable: true, sequence: sequence)
    }

    /// Reads the whole messages of one read. Answers to other requests are ignored.
    mutating func take(_ bytes: ArraySlice<UInt8>, sequence: UInt32) -> NetlinkMessage.Progress {
        NetlinkMessage.read(bytes, sequence: sequence) { message in
            if message.type == Self.newNeighbour { takeEntry(message.body) }
        }
    }

    private mutating func takeEntry(_ entry: ArraySlice<UInt8>) {
        guard let family = entry.first, let index = NetlinkMessage.uint32(entry, at: 4), index > 0,
            let state = NetlinkMessage.uint16(entry, at: 8), state & Self.usableStates != 0,
            entry.count >= Self.entryLength
        else { return }
        var address: IPAddress?
        var hardware: HardwareAddress?
        let areWhole = NetlinkMessage.readAttributes(entry.dropFirst(Self.entryLength)) { type, value in
            switch type {
            case Self.addressAttribute: address = NetlinkMessage.address(value, family: family)
            case Self.hardwareAttribute: hardware = HardwareAddress(value)
            default: break
            }
        }
        guard areWhole, let address, let hardware, !address.isMulticast else { return }
        insert(hardware, for: address, interface: index)
    }
}
