import DNSSD
import GatewayProtocol
import Testing

@testable import Advertising

/// Sample values: addresses of a host, and facts and a configuration of a gateway.
enum Samples {
    static let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
    static let eth0 = address("eth0", 1, 0x0A00_0001)
    static let eth1 = address("eth1", 2, 0x0A00_0101)

    static func address(_ name: String, _ index: UInt32, _ bits: UInt32) -> LocalAddress {
        LocalAddress(
            interface: NetworkInterface(index: index, name: name),
            address: .v4(IPv4Address(bits: bits)),
            isOnNetwork: true
        )
    }

    static func facts(
        _ fingerprint: String = "abc",
        name: String? = "Home",
        bots: Int = 1,
        leaf: LeafFingerprint? = nil
    ) -> AdvertisedFacts {
        AdvertisedFacts(
            dialect: .optaplus,
            fingerprint: GatewayFingerprint(fingerprint),
            name: name,
            bots: bots,
            leaf: leaf
        )
    }

    static func configuration(port: UInt16 = 3_000) -> GatewayAdvertiserConfiguration {
        GatewayAdvertiserConfiguration(
            endpoints: [Endpoint(address: loopback, port: port)],
            defaultName: "studio"
        )
    }

    static func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: [UInt8](repeating: byte, count: 32)))
    }

    static func strings(_ txt: TXTRecord) -> [String] {
        txt.strings.map { String(decoding: $0, as: UTF8.self) }
    }
}
