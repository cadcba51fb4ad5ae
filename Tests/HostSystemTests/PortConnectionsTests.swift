import Testing

@testable import HostSystem

/// The connections that a program keeps when another one listens at its port: those of other users are found.
@Suite struct PortConnectionsTests {
    private static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"

    /// Port 3000 of 127.0.0.1, at which this user listens, and a connection of user 1001 in a state.
    private static func list(_ state: String, at local: String = "0100007F:0BB8") -> String {
        head + "   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0\n"
            + "   1: \(local) 0100007F:C350 \(state) 00000000:00000000 00:00000000 00000000  1001        0 2 1 0\n"
    }

    private static func areOwn(_ lists: String..., as user: UInt32 = 1_000) -> Bool {
        PortConnections.areOwn(at: 3_000, in: lists, of: user)
    }

    @Test func oneOfAnotherUserIsFound() {
        #expect(!Self.areOwn(Self.list("01")))
        #expect(Self.areOwn(Self.list("01"), as: 1_001))
        // One of a socket for both families.
        #expect(!Self.areOwn(Self.head, Self.list("01", at: "0000000000000000FFFF00000100007F:0BB8")))
    }

    /// Nothing comes over one that is over (TIME_WAIT, FIN_WAIT2), of which the kernel names no user; and the other end of a
    /// connection, another port or another address is somebody else's.
    @Test func othersDoNotCount() {
        for state in ["06", "05", "0A"] { #expect(Self.areOwn(Self.list(state)), "\(state)") }
        #expect(Self.areOwn(Self.list("01", at: "0100007F:0BB9"), ""))
        #expect(Self.areOwn(Self.list("01", at: "0101A8C0:0BB8"), ""))
    }

    /// One that the agent has not accepted yet is nobody else's, though the kernel lists it as root's.
    @Test func whatWaitsToBeAcceptedIsNobodyElses() {
        let places = "   1: 0100007F:0BB8 0100007F:C350 01 "
        #expect(Self.areOwn(Self.head + places + "00000000:00000000 00:00000000 00000000     0        0 0 1 0\n"))
        #expect(!Self.areOwn(Self.head + places + "00000000:00000000 00:00000000 00000000     0        0 2 1 0\n"))
    }

    /// What the system does not tell is not taken for nothing.
    @Test func listsThatAreCutOffSayNothing() {
        #expect(!Self.areOwn(""))
        #expect(!PortConnections.areOwn(at: 3_000, in: [], of: 1_000))
        #expect(!Self.areOwn(Self.head + String(repeating: "x", count: ProcessFolder.mostBytes)))
        #expect(!Self.areOwn(Self.head + "   1: 0100007F:0BB8 0100007F:C350 01 0:0\n"))
    }
}
