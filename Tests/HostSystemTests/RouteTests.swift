import DNSSD
import Testing

@testable import HostSystem

/// The decoding of the kernel's messages about its routes.
@Suite struct RouteTests {
    private static func message(_ type: UInt16, _ body: [UInt8], sequence: UInt32 = 7) -> [UInt8] {
        NetlinkMessage.native(UInt32(16 + body.count)) + NetlinkMessage.native(type)
            + NetlinkMessage.native(UInt16(2)) + NetlinkMessage.native(sequence) + [0, 0, 0, 0] + body
    }

    /// Returns an RTM_NEWROUTE message as Linux 6.1 sends it.
    private static func route(
        family: UInt8 = 2,
        length: UInt8 = 0,
        table: UInt8 = 254,
        type: UInt8 = 1,
        attributes: [(UInt16, [UInt8])]
    ) -> [UInt8] {
        let entry: [UInt8] = [family, length, 0, 0, table, 3, 0, type, 0, 0, 0, 0]
        return message(24, entry + attributes.flatMap { NetlinkMessage.attribute($0.0, $0.1) })
    }

    private static let done = message(3, [0, 0, 0, 0])
    private static let toEth0: (UInt16, [UInt8]) = (4, NetlinkMessage.native(UInt32(2)))
    private static let toEth1: (UInt16, [UInt8]) = (4, NetlinkMessage.native(UInt32(3)))
    private static let router: (UInt16, [UInt8]) = (5, [192, 168, 1, 1])

    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text, interfaces: []))
    }

    private func defaults(_ bytes: [UInt8]) -> [Route] {
        var reader = RouteReader(.defaults)
        #expect(reader.take((bytes + Self.done)[...], sequence: 7) == .complete)
        return reader.routes
    }

    @Test func readsDefaultRoutesOfBothFamilies() throws {
        let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1]
        let metric: (UInt16, [UInt8]) = (6, NetlinkMessage.native(UInt32(600)))
        let found = defaults(
            Self.route(attributes: [Self.toEth0, Self.router, metric])
                + Self.route(family: 10, attributes: [Self.toEth0, (5, linkLocal)])
                // An IPv4 route through a router with an IPv6 address (`struct rtvia`).
                + Self.route(attributes: [Self.toEth1, (18, NetlinkMessage.native(UInt16(10)) + linkLocal)])
                // A route into a tunnel, without a router.
                + Self.route(attributes: [Self.toEth1])
        )
        #expect(
            found == [
                Route(interface: 2, router: try address("192.168.1.1"), metric: 600),
                Route(interface: 2, router: try address("fe80::1")),
                Route(interface: 3, router: try address("fe80::1")),
                Route(interface: 3, router: nil),
            ]
        )
    }

    @Test func onlyDefaultRoutesOfTheMainTableCount() {
        #expect(
            defaults(
                Self.route(length: 24, attributes: [Self.toEth0])
                    + Self.route(table: 255, attributes: [Self.toEth0])
                    + Self.route(attributes: [Self.toEth0, (15, NetlinkMessage.native(UInt32(51_820)))])
                    // An unreachable route, and one without an interface.
                    + Self.route(type: 7, attributes: [Self.toEth0])
                    + Self.route(attributes: [Self.router])
            ).isEmpty
        )
    }

    @Test func aRouteMayHaveSeveralRouters() throws {
        func hop(_ interface: UInt32, _ router: [UInt8]) -> [UInt8] {
            let attribute = NetlinkMessage.attribute(5, router)
            return NetlinkMessage.native(UInt16(8 + attribute.count)) + [0, 0] + NetlinkMessage.native(interface)
                + attribute
        }
        let hops = hop(2, [192, 168, 1, 1]) + hop(3, [10, 0, 0, 1])
        #expect(
            defaults(Self.route(attributes: [(9, hops)])) == [
                Route(interface: 2, router: try address("192.168.1.1")),
                Route(interface: 3, router: try address("10.0.0.1")),
            ]
        )
    }

    @Test func theWayToADestinationIsOneMessage() throws {
        var reader = RouteReader(.destination)
        let bytes = Self.route(
            length: 32,
            attributes: [(1, [10, 0, 0, 9]), Self.toEth0, (7, [10, 0, 0, 2])]
        )
        #expect(reader.take(bytes[...], sequence: 7) == .complete)
        #expect(reader.routes == [Route(interface: 2, router: nil, source: try address("10.0.0.2"))])
        var own = RouteReader(.destination)
        #expect(own.take(Self.route(length: 32, type: 2, attributes: [Self.toEth0])[...], sequence: 7) == .complete)
        #expect(own.routes.first?.isOwnHost == true)
        var none = RouteReader(.destination)
        #expect(none.take(Self.message(2, NetlinkMessage.native(Int32(-101)))[...], sequence: 7) == .failed)
    }

    @Test func aQuestionNamesTheDestinationAndItsLink() throws {
        #expect(RouteReader.request(sequence: 7).count == 28)
        #expect(RouteReader.request(to: try address("10.0.0.9"), sequence: 7).count == 36)
        let eth0 = NetworkInterface(index: 2, name: "eth0")
        let linkLocal = try #require(IPAddress("fe80::9%eth0", interfaces: [eth0]))
        #expect(RouteReader.request(to: linkLocal, sequence: 7).count == 28 + 20 + 8)
    }

    /// Messages that are cut or changed at any byte are read without a trap.
    @Test func anyBytesAreRead() {
        let whole = Self.route(attributes: [Self.toEth0, Self.router, (9, [UInt8](repeating: 8, count: 24))])
        for count in 0...whole.count {
            for value in [0, 1, 4, 0x7F, 0xFF] as [UInt8] {
                var changed = Array(whole[..<count])
                if let last = changed.indices.last { changed[last] = value }
                for scope in [RouteReader.Scope.defaults, .destination] {
                    var reader = RouteReader(scope)
                    _ = reader.take(changed[...], sequence: 7)
                }
            }
        }
    }

    /// The system gives a complete answer, whose routes depend on the machine.
    @Test func theSystemIsAsked() throws {
        #expect(Route.defaults() != nil)
        #expect(Route.leading(to: try address("127.0.0.1"))?.isOwnHost == true)
    }
}
