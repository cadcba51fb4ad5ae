import Advertising
import DNSSD
import Discovery

// A listing of the README, word for word: whoever changes one changes the other.

func advertise() async throws {
    let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
    let advertiser = try GatewayAdvertiser(
        GatewayAdvertiserConfiguration(endpoints: [Endpoint(address: loopback, port: 3000)]),
        backend: try Backends.system()
    )
    await advertiser.run()  // until cancelled; `advertiser.states` tells how it goes
}
