import Agent
import DNSSD
import GatewayProtocol
import Testing

/// What tells the gateway at a place from another one that is there by now.
@Suite struct OccupantTests {
    private static func holder(_ leaf: UInt8?, at place: UInt32 = 1, machine: UInt8? = 1) -> Occupant {
        let identity = GatewayIdentity(
            fingerprint: nil,
            dialect: .optaplus,
            leaf: leaf.flatMap { LeafFingerprint(bytes: Array(repeating: $0, count: 32)) }
        )
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + place)), port: 3_000)
        return Occupant(identity, at: endpoint, machine: machine.map { [$0] })
    }

    /// A gateway with TLS gets a new network card: its certificate proves it. Another certificate does not.
    @Test func aCertificateProvesItOnAnotherMachine() {
        let former = Self.holder(7)
        #expect(former.difference(from: Self.holder(7, machine: 2)) == nil)
        #expect(former.isProved(by: Self.holder(7, machine: 2)))
        #expect(former.difference(from: Self.holder(8, machine: 2)) == .machine)
    }

    /// Without TLS, it may move with its machine alone; with TLS, its certificate may be a new one.
    @Test func onlyItsMachineTakesAPlainOneElsewhere() {
        let former = Self.holder(nil)
        #expect(
            former.difference(from: Self.holder(nil, at: 2)) == nil && !former.isProved(by: Self.holder(nil, at: 2))
        )
        #expect(former.isProved(by: Self.holder(nil)))
        #expect(former.difference(from: Self.holder(nil, at: 2, machine: 2)) == .machine)
        #expect(Self.holder(7).difference(from: Self.holder(8, at: 2, machine: 2)) == nil)
    }

    /// A machine that is not known proves nothing, and does not make it forget the one that was.
    @Test func aMachineThatIsNotKnownIsNoDifference() {
        let former = Self.holder(nil)
        let unknown = Self.holder(nil, at: 2, machine: nil)
        #expect(former.difference(from: unknown) == nil && !former.isProved(by: unknown))
        #expect(former.renewed(as: unknown).difference(from: Self.holder(nil, at: 2, machine: 2)) == .machine)
    }
}
