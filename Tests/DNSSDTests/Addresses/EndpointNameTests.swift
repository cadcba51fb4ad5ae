import DNSSD
import Testing

/// Places that a user named by a host name: each name may be another gateway behind one front.
@Suite struct EndpointNameTests {
    private let address = IPAddress("10.0.0.1")!
    private let kitchen = ServerName("kitchen.example")

    @Test func anotherNameIsAnotherPlace() {
        let unnamed = Endpoint(address: address, port: 443)
        let named = Endpoint(address: address, port: 443, serverName: kitchen)
        let other = Endpoint(address: address, port: 443, serverName: ServerName("bath.example"))
        #expect(Set([unnamed, named, other]).count == 3)
        #expect(ServerName("Kitchen.Example.") == kitchen)
        #expect([named, other, unnamed].sorted() == [unnamed, other, named])
        #expect([named, Endpoint(address: address, port: 443, resource: "/a")].sorted().first == named)
    }

    /// A gateway that was paired by a name is asked by that name, wherever it is advertised.
    @Test func theNameIsKept() throws {
        let named = Endpoint(address: address, port: 443, resource: "/a", serverName: kitchen)
        let moved = Endpoint(address: try #require(IPAddress("10.0.0.2")), port: 443, resource: "/a")
        #expect(!named.isSameSite(as: moved))
        #expect([named].naming(moved).description == "kitchen.example=10.0.0.2:443/a")
        #expect([named].naming(moved).isSameSite(as: named))
        let others = [
            Endpoint(address: address, port: 443), Endpoint(address: address, port: 444, resource: "/a"),
            Endpoint(address: address, port: 443, resource: "/a", serverName: ServerName("bath.example")),
        ]
        for other in others { #expect([named].naming(other) == other) }
    }

    @Test func localhostNamesNothing() {
        let named = Endpoint(address: address, port: 443, serverName: ServerName("LocalHost"))
        #expect(named == Endpoint(address: address, port: 443))
        #expect(named.serverName == nil)
    }

    @Test func theNameIsShown() {
        let named = Endpoint(address: address, port: 443, resource: "/bot/", serverName: kitchen)
        #expect(named.description == "kitchen.example=10.0.0.1:443/bot/")
        let link = Endpoint(address: IPAddress("fe80::1")!, port: 443, serverName: kitchen)
        #expect(link.description == "kitchen.example=[fe80::1]:443")
    }

    @Test(arguments: ["10.0.0.1", "fe80::1", "127.1", "0x7f.1", "", "a b", "my_gw", "bücher.example", "-a.example"])
    func whatIsNoHostNameIsNone(text: String) {
        #expect(ServerName(text) == nil)
    }
}
