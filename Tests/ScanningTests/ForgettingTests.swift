import DNSSD
import Discovery
import GatewayClient
import Testing

@testable import Scanning

/// Services, entries of the user and sessions that have ended leave nothing behind in the scan state, since a scan may
/// run for months.
@Suite struct ForgettingTests {
    private static let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))

    private static let services = [
        Samples.service("A", at: [Samples.address(1), Samples.address(2)], txt: ["fp=f"]),
        Samples.service("B", at: [Samples.linkLocalAddress(3)], txt: ["fp=g"]),
        Samples.service("refused", at: [loopback]),
        Samples.service("foreign", at: [Samples.address(9)], heardFrom: [Samples.address(2)]),
        Samples.service("silent", at: [Samples.address(4)]),
    ]

    /// Every collection of the state is empty again, whether the services end at once, during the first probes, or
    /// after checks and refreshes.
    @Test(arguments: [Duration.zero, .milliseconds(100), .seconds(7), .seconds(90)])
    func nothingIsLeftOfWhatIsGone(time: Duration) {
        var drive = ScanDrive()
        drive.state.networks = HostNetworks(addresses: [Samples.address(9)])
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.listen(.silence, at: Samples.endpoint(4))
        for service in Self.services { drive.apply(.found(service)) }
        let manual = ManualGateway(endpoints: [Samples.endpoint(5)])
        drive.add(manual)
        drive.run(for: time)
        drive.noteSession(.answering, at: Samples.endpoint(2))
        drive.run(for: time)
        drive.noteSession(nil, at: Samples.endpoint(2))
        drive.state.remove(manual, now: drive.now)
        for service in Self.services { drive.apply(.lost(service, .withdrawn)) }
        drive.listenEverywhere(.refusal)
        for last in 1...5 as ClosedRange<UInt32> { drive.listen(.refusal, at: Samples.endpoint(last)) }
        drive.run(for: .seconds(800))
        let state = drive.state
        #expect(state.endpoints.count == 0 && state.services.endpoints.isEmpty)
        #expect(state.manual.isEmpty)
        #expect(state.sessions.alive.isEmpty && state.gatewayCount == 0 && state.silent.isEmpty)
        #expect(state.services.present.isEmpty && state.services.protected.isEmpty && drive.protected.isEmpty)
        #expect(state.services.refusals.isEmpty && state.services.refused.isEmpty)
        #expect(state.services.foreign.isEmpty && state.services.undecided.isEmpty)
        #expect(state.deferred.isEmpty && state.jobs.running.isEmpty && state.knownFromHostOnly.isEmpty)
        #expect(state.budget.waiting == 0 && state.hosts.count == 0 && state.progress == ScanProgress())
        #expect(state.next == nil && drive.map.gateways.isEmpty)
    }
}
