import DNSSD
import Testing

@testable import HostSystem

/// The decoding of the kernel's messages about its neighbours.
@Suite struct NeighbourTableTests {
    private static func native(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        padded(native(UInt16(4 + value.count)) + native(type) + value)
    }

    private static func message(_ type: UInt16, _ body: [UInt8], sequence: UInt32 = 7) -> [UInt8] {
        padded(
            native(UInt32(16 + body.count)) + native(type) + native(UInt16(2)) + native(sequence) + native(UInt32(0))
                + body
        )
    }

    /// Returns an RTM_NEWNEIGH message as Linux 6.1 sends it.
    private static func neighbour(
        _ address: [UInt8],
        at hardware: [UInt8]?,
        state: UInt16 = 0x02,
        interface: UInt32 = 2,
        sequence: UInt32 = 7
    ) -> [UInt8] {
        let family: UInt8 = address.count == 4 ? 2 : 10
        var body = [family, 0, 0, 0] + native(interface) + native(state) + [0, 1]
        body += attribute(1, address)
        if let hardware { body += attribute(2, hardware) }
        body += attribute(4, [0, 0, 0, 0]) + attribute(3, [UInt8](repeating: 1, count: 16))
        return message(28, body, sequence: sequence)
    }

    private static let done = message(3, [0, 0, 0, 0])
    private static let hardware: [UInt8] = [2, 0x42, 0xAC, 0x11, 0, 2]
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")
    private static let eth1 = NetworkInterface(index: 3, name: "eth1")
    private static let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 13) + [9]

    private func table(_ bytes: [UInt8]) -> (table: NeighbourTable, progress: NetlinkMessage.Progress) {
        var table = NeighbourTable()
        let progress = table.take(bytes[...], sequence: 7)
        return (table, progress)
    }

    @Test func readsEntriesOfBothFamilies() throws {
        let other: [UInt8] = [2, 0x42, 0xAC, 0x11, 0, 3]
        let (table, progress) = table(
            Self.neighbour([10, 0, 0, 2], at: Self.hardware) + Self.neighbour(Self.linkLocal, at: other)
                + Self.neighbour(Self.linkLocal, at: Self.hardware, interface: 3) + Self.done
        )
        #expect(progress == .complete)
        #expect(table.count == 3)
        let address = try #require(IPAddress("10.0.0.2"))
        #expect(table.hardwareAddress(of: address)?.description == "02:42:ac:11:00:02")
        #expect(table.hardwareAddress(of: address, on: Self.eth1) == nil)
        #expect(table.hardwareAddress(of: try #require(IPAddress("::ffff:10.0.0.2")))?.bytes == Self.hardware)
        let first = try #require(IPAddress("fe80::9%eth0", interfaces: [Self.eth0]))
        let second = try #require(IPAddress("fe80::9%eth1", interfaces: [Self.eth1]))
        #expect(table.hardwareAddress(of: first)?.bytes == other)
        #expect(table.hardwareAddress(of: second)?.bytes == Self.hardware)
        #expect(table.hardwareAddress(of: try #require(IPAddress("fe80::9"))) == nil, "it exists on two links")
    }

    @Test func onlyWhatTheKernelReachedCounts() throws {
        // NUD_INCOMPLETE, NUD_FAILED, NUD_NOARP and NUD_NONE; then entries without a usable hardware address, and a
        // group.
        let unusable = [0x01, 0x20, 0x40, 0].map { Self.neighbour([10, 0, 0, 2], at: Self.hardware, state: $0) }
        let empty: [[UInt8]?] = [
            nil, [], [0, 0, 0, 0, 0, 0], [1, 0, 0x5E, 0, 0, 1], [10, 0, 0, 9], Array(repeating: 1, count: 32),
        ]
        let without = empty.map { Self.neighbour([10, 0, 0, 2], at: $0) }
        let group = Self.neighbour([224, 0, 0, 251], at: Self.hardware)
        #expect(table((unusable + without).flatMap(\.self) + group + Self.done).table.isEmpty)
        for state in [0x02, 0x04, 0x08, 0x10, 0x80] as [UInt16] {
            #expect(table(Self.neighbour([10, 0, 0, 2], at: Self.hardware, state: state)).table.count == 1)
        }
    }

    @Test func anAnswerMayComeInPiecesAndEndInAnError() {
        #expect(table(Self.neighbour([10, 0, 0, 2], at: Self.hardware)).progress == .incomplete)
        #expect(table(Self.message(2, Self.native(Int32(-1)))).progress == .failed)
        #expect(table(Self.message(3, [], sequence: 8)).progress == .incomplete, "the message answers another question")
        #expect(table([]).progress == .incomplete)
        #expect(table([5, 0, 0, 0] + [UInt8](repeating: 0, count: 20)).progress == .failed)
    }

    @Test func isBounded() {
        var table = NeighbourTable()
        for number in 0..<20_000 as Range<UInt32> {
            guard let hardware = HardwareAddress(Self.hardware) else { return }
            table.insert(hardware, for: .v4(IPv4Address(bits: number)), interface: 2)
        }
        #expect(table.count == NeighbourTable.maximumEntries)
    }

    /// Messages that are cut or changed at any byte are read without a trap.
    @Test func anyBytesAreRead() {
        let whole =
            Self.neighbour([10, 0, 0, 2], at: Self.hardware) + Self.neighbour(Self.linkLocal, at: Self.hardware)
        for count in 0...whole.count {
            _ = table(Array(whole[..<count]))
            for value in [0, 1, 4, 0x7F, 0xFF] as [UInt8] where count < whole.count {
                var changed = whole
                changed[count] = value
                _ = table(changed)
            }
        }
    }

    /// The system gives a complete answer, whose content depends on the machine.
    @Test func theSystemIsAsked() {
        #expect(NeighbourTable.request(sequence: 7).count == 28)
        #expect(NeighbourTable.dump() != nil)
    }
}
