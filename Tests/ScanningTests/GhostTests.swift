import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

@Suite struct GhostTests {
    /// A gateway with two services, one of which loses an address before both are lost, leaves no row and no endpoint
    /// behind.
    @Test func aDeadGatewayUnderTwoTypesIsLost() {
        var drive = ScanDrive()
        let both = [Samples.address(1), Samples.address(2)]
        let one = Samples.service("A", at: both)
        let two = Samples.service("A", type: ServiceType.gatewayTypes[1], at: both)
        drive.listenEverywhere(.gateway(SampleGateway(dialect: .bridge)))
        drive.apply(.found(one))
        drive.apply(.found(two))
        drive.run(for: .seconds(7))
        #expect(drive.map.gateways.count == 1)
        // The process ends; its goodbyes arrive, one sighting after the other.
        drive.listenEverywhere(.silence)
        drive.apply(.lost(one, .withdrawn))
        let shrunk = Samples.service("A", type: ServiceType.gatewayTypes[1], at: [Samples.address(1)])
        drive.apply(.changed(shrunk, [.addresses]))
        drive.apply(.lost(shrunk, .withdrawn))
        drive.run(for: .seconds(600))
        #expect(drive.map.gateways.isEmpty, "\(drive.map.gateways)")
        #expect(drive.state.endpoints.count == 0)
    }
}
