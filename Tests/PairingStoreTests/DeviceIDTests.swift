import DNSSD
import Foundation
import GatewayProtocol
import Testing

@testable import Pairing

/// The identifier of this device at one gateway: whoever has it can unpair this device there, so no other gateway may
/// learn it.
@Suite struct DeviceIDTests {
    private static func endpoint(_ text: String, port: UInt16 = 3000) throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(text)), port: port)
    }

    /// Gateways that differ in what proves them get different identifiers, and each always the same one, also when the
    /// store is opened again.
    @Test func eachGatewayHasItsOwn() async throws {
        try await StoreFolder.with { folder in
            let network = HomeNetwork(
                prefix: try #require(IPAddress("10.0.0.0")),
                prefixLength: 24,
                router: [1],
                gateway: nil
            )
            let leaves = try [1, 2].map { try #require(LeafFingerprint(bytes: Array(repeating: $0, count: 32))) }
            let gateways: [(TrustPolicy, GatewayFingerprint?, Endpoint)] = [
                (.pinned(leaves[0]), nil, try Self.endpoint("10.0.0.1")),
                // An impostor repeats the fingerprint of another gateway, under a certificate of its own.
                (.pinned(leaves[0]), GatewayFingerprint("a"), try Self.endpoint("10.0.0.1")),
                (.pinned(leaves[1]), GatewayFingerprint("a"), try Self.endpoint("10.0.0.1")),
                (.pinned(leaves[0]), GatewayFingerprint("b"), try Self.endpoint("10.0.0.1")),
                (.certified(host: "a.example"), nil, try Self.endpoint("10.0.0.1")),
                (.certified(host: "b.example"), nil, try Self.endpoint("10.0.0.1")),
                (.sameAddress(network), nil, try Self.endpoint("10.0.0.1")),
                (.sameAddress(network), nil, try Self.endpoint("10.0.0.2")),
                (.sameAddress(network), nil, try Self.endpoint("10.0.0.1", port: 1)),
                (.lan(network), GatewayFingerprint("a"), try Self.endpoint("10.0.0.1")),
                (.lan(network), GatewayFingerprint("b"), try Self.endpoint("10.0.0.1")),
            ]
            let ids = try (0..<2).map { _ in
                let device = try folder.open().device
                return try gateways.map { try device.id(at: $0.0, fingerprint: $0.1, endpoint: $0.2) }
            }
            #expect(ids[0] == ids[1])
            #expect(Set(ids[0]).count == gateways.count)
            let form = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            for id in ids[0] { #expect(id.wholeMatch(of: form) != nil, "RFC 9562 §5.8: \(id)") }
        }
    }

    /// Where a proof decides, the address does not; nor does the choice between two kinds of plain trust, or the case of
    /// a host name.
    @Test func aGatewayThatMovesKeepsIt() async throws {
        try await StoreFolder.with { folder in
            let network = HomeNetwork(
                prefix: try #require(IPAddress("10.0.0.0")),
                prefixLength: 24,
                router: [1],
                gateway: nil
            )
            let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
            let device = try folder.open().device
            let (here, there) = (try Self.endpoint("10.0.0.1"), try Self.endpoint("10.0.0.2"))
            let fingerprint = GatewayFingerprint("a")
            let pairs: [(TrustPolicy, TrustPolicy, GatewayFingerprint?)] = [
                (.pinned(leaf), .pinned(leaf), nil),
                (.certified(host: "a.example"), .certified(host: "A.Example"), fingerprint),
                (.sameAddress(network), .lan(network), fingerprint),
            ]
            for (one, other, fingerprint) in pairs {
                #expect(
                    try device.id(at: one, fingerprint: fingerprint, endpoint: here)
                        == device.id(at: other, fingerprint: fingerprint, endpoint: there)
                )
            }
        }
    }

    /// Two devices have different identifiers at the same gateway, and a sealed store has none.
    @Test func itIsOfThisDevice() async throws {
        let endpoint = try Self.endpoint("10.0.0.1")
        var ids: Set<String> = []
        for _ in 0..<2 {
            try await StoreFolder.with { folder in
                ids.insert(try folder.open().device.id(at: .certified(host: "a"), fingerprint: nil, endpoint: endpoint))
                try FileManager.default.removeItem(atPath: folder.location.keyFile)
                let sealed = try folder.open().device
                #expect(
                    code { _ = try sealed.id(at: .certified(host: "a"), fingerprint: nil, endpoint: endpoint) }
                        == .sealed
                )
            }
        }
        #expect(ids.count == 2)
    }
}
