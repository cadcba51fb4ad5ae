import DNSSD
import GatewayProtocol
import Testing

@testable import Agent
@testable import Pairing

/// A row that says *revoked, pair again* goes once the gateway is paired again, whatever it is known by since.
@Suite struct RevokedStatusTests {
    private static func pairing(
        _ id: String,
        fingerprint: String? = nil,
        leaf: UInt8,
        at port: UInt16 = 3_000
    ) throws -> StoredPairing {
        StoredPairing(
            gatewayID: id,
            fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
            name: "Home",
            dialect: .optaplus,
            trust: .pinned(try #require(LeafFingerprint(bytes: Array(repeating: leaf, count: 32)))),
            endpoints: [Endpoint(address: try #require(IPAddress("10.0.0.2")), port: port)],
            pairedAt: 1
        )
    }

    @Test func whatIsPairedAgainIsRevokedNoMore() throws {
        let former = try Self.pairing("fingerprint:a", fingerprint: "a", leaf: 1)
        let bin = [BinnedPairing(pairing: former, reason: .revoked("not-paired"), time: 5, isWhole: true)]
        #expect(PairedStatus.revoked(bin, besides: []).map(\.state) == [.revoked])
        let others = try Self.pairing("fingerprint:b", fingerprint: "b", leaf: 2, at: 4_000)
        #expect(PairedStatus.revoked(bin, besides: [others]).count == 1)
        // By its row; by its certificate at another place; and at its place with another certificate.
        for again in [
            try Self.pairing("fingerprint:a", fingerprint: "a", leaf: 3, at: 4_000),
            try Self.pairing("endpoint:10.0.0.2:4000", fingerprint: "a", leaf: 1, at: 4_000),
            try Self.pairing("endpoint:10.0.0.2:3000", leaf: 3),
        ] { #expect(PairedStatus.revoked(bin, besides: [others, again]).isEmpty, "\(again.gatewayID)") }
    }
}
