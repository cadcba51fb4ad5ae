import DNSSD
import Testing

@testable import HostSystem

/// The kernel's lists of sockets, as captured on a little-endian host.
@Suite struct ListeningSocketsTests {
    private static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"

    private static func read(_ lines: String) -> [String] {
        ListeningSockets.endpoints(in: head + lines).map(\.description)
    }

    @Test func thoseThatListenAreRead() {
        #expect(
            Self.read(
                """
                   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0
                   1: 00000000:4965 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1 0
                   2: 0100007F:0BB8 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0
                """
            ) == ["127.0.0.1:3000", "0.0.0.0:18789"]
        )
    }

    /// The number of a socket is that by which the open files of its program name it.
    @Test func socketsHaveTheirNumbers() {
        let line =
            "   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1126 1 0\n"
        let sockets = ListeningSockets.sockets(in: Self.head + line + "   1: 0100007F:0BB9 00000000:0000 0A 0:0\n")
        #expect(sockets.map(\.number) == [1_126, nil])
    }

    @Test func addressesOfSixteenBytes() {
        #expect(
            Self.read(
                """
                   0: 00000000000000000000000001000000:0BB8 00000000000000000000000000000000:0000 0A 0:0
                   1: 00000000000000000000000000000000:0BB9 00000000000000000000000000000000:0000 0A 0:0
                   2: 0000000000000000FFFF00000100007F:0BBA 00000000000000000000000000000000:0000 0A 0:0
                """
            ).prefix(2) == ["[::1]:3000", "[::]:3001"]
        )
    }

    @Test(arguments: ["", "x", " 0: 0100007F 0 0A", " 0: 01000:0BB8 0 0A", " 0: 0100007F:XXXX 0 0A", " 0: G:1 0 0A"])
    func otherLinesAreSkipped(_ line: String) { #expect(Self.read(line).isEmpty) }
}
