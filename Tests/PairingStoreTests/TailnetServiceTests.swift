import DNSSD
import GatewayProtocol
import Scanning
import Synchronization
import Testing

@testable import HostSystem
@testable import Pairing

/// The question which machine has an address in a tailnet, to a double of tailscaled's local API.
@Suite struct TailnetServiceTests {
    private static let key = "nodekey:" + String(repeating: "a1", count: 32)
    private static let running = #"{"BackendState":"Running","TUN":true,"TailscaleIPs":["100.64.0.2","fd7a::2"]}"#

    private static func machine(_ address: String = "100.64.0.9/32", key: String = key) -> String {
        #"{"Node":{"ID":1,"Key":"\#(key)","Addresses":["\#(address)","fd7a::9/128"],"Tags":null},"UserProfile":{}}"#
    }

    private static func response(_ body: String, status: String = "200 OK") -> [UInt8] {
        Array("HTTP/1.0 \(status)\r\nContent-Type: application/json\r\n\r\n\(body)".utf8)
    }

    /// Returns a double that answers in this way; the closure gets what it was asked.
    private func service(
        status: [UInt8]? = response(running),
        whois: [UInt8]? = response(machine()),
        _ note: @escaping @Sendable (String) -> Void = { _ in }
    ) -> TailnetService {
        TailnetService { request in
            let text = String(decoding: request, as: UTF8.self)
            note(text)
            return text.hasPrefix("GET /localapi/v0/status") ? status : whois
        }
    }

    private func node(
        _ service: TailnetService,
        at address: String = "100.64.0.9",
        from own: String = "100.64.0.2"
    ) async throws -> TailnetNode? {
        await service.node(at: try #require(IPAddress(address)), from: try #require(IPAddress(own)))
    }

    /// The service is asked for itself and for the address, by the name that it expects.
    @Test func itNamesTheMachine() async throws {
        let asked = Mutex<[String]>([])
        let service = service { text in asked.withLock { $0.append(text) } }
        #expect(try await node(service)?.key == Self.key)
        let first = try #require(asked.withLock { $0.first })
        #expect(first == "GET /localapi/v0/status?peers=false HTTP/1.0\r\nHost: local-tailscaled.sock\r\n\r\n")
        #expect(asked.withLock { $0.last?.hasPrefix("GET /localapi/v0/whois?addr=100.64.0.9:0 HTTP/1.0\r\n") } == true)
        #expect(try await node(service, at: "fd7a::9", from: "fd7a::2")?.key == Self.key)
        let last = asked.withLock { $0.last }
        #expect(last?.hasPrefix("GET /localapi/v0/whois?addr=%5Bfd7a::9%5D:0 HTTP/1.0\r\n") == true)
    }

    /// A machine that does not have the address itself, such as the router of its network, is not who answers there.
    @Test(arguments: ["100.64.0.8/32", "100.64.0.0/24", "100.64.0.9", "100.64.0.9/31", ""])
    func itsAddressHasToBeThatMachines(address: String) async throws {
        #expect(try await node(service(whois: Self.response(Self.machine(address)))) == nil)
    }

    /// Packets go where the routes lead: they do not go through the tailnet where the service has no interface, is stopped,
    /// or has another address than the interface that leads there.
    @Test func theTailnetHasToLeadThere() async throws {
        for status in [
            Self.running.replacing("true", with: "false"), Self.running.replacing("Running", with: "Stopped"),
            Self.running.replacing("TUN", with: "Tun"), Self.running.replacing("100.64.0.2", with: "100.64.0.3"),
            "{}", "",
        ] {
            #expect(try await node(service(status: Self.response(status))) == nil)
        }
    }

    /// Silence, an error and an answer that is none name nobody.
    @Test func whatIsNoAnswerNamesNobody() async throws {
        #expect(try await node(service(status: nil)) == nil)
        for whois in [
            nil, [], Self.response("no match for IP:port", status: "404 Not Found"),
            Self.response(Self.machine(), status: "403 Forbidden"), Self.response("[]"), Self.response("{"),
            Self.response(Self.machine(key: "nodekey:x")), Array(Self.response(Self.machine()).dropLast()),
            Array("HTTP/1.0 200 OK".utf8),
        ] as [[UInt8]?] {
            #expect(try await node(service(whois: whois)) == nil)
        }
    }

    // MARK: Which interface leads there

    private func interface(_ index: UInt32, _ name: String, _ own: String) throws -> HostInterface {
        HostInterface(
            interface: NetworkInterface(index: index, name: name),
            flags: [.up, .running, .pointToPoint],
            addresses: [InterfaceAddress(address: try #require(IPAddress(own)), prefixLength: 24)]
        )
    }

    /// Returns the facts where an interface leads to everything, besides others.
    private func facts(
        _ device: NetworkDevice?,
        own: String = "100.64.0.2",
        router: String? = nil,
        besides others: [HostInterface] = []
    ) throws -> NetworkFacts {
        NetworkFacts(
            interfaces: [try interface(3, device?.name ?? "x0", own)] + others,
            route: Route(interface: 3, router: try router.map { try #require(IPAddress($0)) }),
            defaults: [],
            neighbours: NeighbourTable(),
            tunnel: device
        )
    }

    private func observed(_ facts: NetworkFacts) async throws -> NetworkObservation {
        let address = try #require(IPAddress("100.64.0.9"))
        let observation = try #require(NetworkObservation(to: address, facts: facts))
        return await observation.asking(service(), about: address, facts)
    }

    /// The service is believed about a `tun` that is without doubt its own, and leads there without a router.
    @Test func onlyTheTailnetsOwnInterfaceIsAskedAbout() async throws {
        let tun = NetworkDevice(name: "tailscale0", kind: "tun")
        #expect(try await observed(facts(tun)).node?.key == Self.key)
        let doubles = [try interface(4, "tun1", "100.64.0.2")]
        #expect(try await observed(facts(tun, besides: doubles)).node == nil)
        #expect(try await observed(facts(tun, router: "100.64.0.1")).node == nil)
        #expect(try await observed(facts(tun, own: "100.64.0.3")).node == nil)
        #expect(try await observed(facts(NetworkDevice(name: "wg0", kind: "wireguard"))).node == nil)
        #expect(try await observed(facts(nil)).node == nil)
    }

    /// A WireGuard interface is a tunnel by its name, kind and address; a `tun`, a tap or one that nobody describes is none.
    @Test func onlyWireGuardsInterfacesAreTunnels() throws {
        func tunnel(_ device: NetworkDevice?, own: String = "100.64.0.2") throws -> NetworkTunnel? {
            NetworkObservation(to: try #require(IPAddress("100.64.0.9")), facts: try facts(device, own: own))?.tunnel
        }
        let wg0 = NetworkDevice(name: "wg0", kind: "wireguard")
        let own = try #require(IPAddress("100.64.0.2"))
        #expect(try tunnel(wg0) == NetworkTunnel(name: "wg0", kind: .wireguard, address: own))
        #expect(try tunnel(wg0, own: "100.64.0.3") != tunnel(wg0))
        for device in [nil, NetworkDevice(name: "wg0", kind: "tun"), NetworkDevice(name: "wg0", kind: nil)] {
            #expect(try tunnel(device) == nil)
        }
        // The name of an interface may have gone to another one between two questions to the kernel.
        let renamed = NetworkFacts(
            interfaces: [try interface(3, "tun0", "100.64.0.2")],
            route: Route(interface: 3, router: nil),
            defaults: [],
            neighbours: NeighbourTable(),
            tunnel: wg0
        )
        #expect(NetworkObservation(to: try #require(IPAddress("100.64.0.9")), facts: renamed)?.tunnel == nil)
    }
}
