import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Thousands of forged services that lead to the address of a gateway. They must not hide it, and endpoints that wait
/// to be asked must have the reason in the map.
@Suite struct FloodTests {
    private let endpoint = Samples.endpoint(1)

    /// Returns forged services at the gateway's own address, each with a host name and a port of its own, where nothing
    /// listens.
    private func forged(_ numbers: Range<Int>, heardFrom: [IPAddress] = []) -> [DiscoveredService] {
        numbers.map { number in
            Samples.service(
                "F\(number)",
                at: [Samples.address(1)],
                port: UInt16(10_000 + number % 50_000),
                host: (try? DomainName(escaped: "f\(number).local")) ?? "f.local",
                heardFrom: heardFrom
            )
        }
    }

    private func service(heardFrom: [IPAddress] = []) -> DiscoveredService {
        Samples.service("A", at: [Samples.address(1)], heardFrom: heardFrom)
    }

    /// Returns the time that passes until the gateway is shown as answering; `nil` after the limit.
    private func timeUntilFound(_ drive: inout ScanDrive, within limit: Duration) -> Duration? {
        let time = drive.elapsed
        while drive.elapsed < time + limit {
            if drive.row(of: endpoint)?.liveness == .answering { return drive.elapsed - time }
            drive.run(for: .milliseconds(100))
        }
        return nil
    }

    /// A thousand forged services, none of which was announced by the gateway's address itself, do not delay a gateway
    /// whose service was.
    @Test(arguments: [0, 500, 1_000])
    func aThousandForgedServicesAtItsAddress(place: Int) throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        for service in forged(0..<place) { drive.apply(.found(service)) }
        drive.find(service(heardFrom: [Samples.address(1)]), .gateway(SampleGateway()))
        for service in forged(place..<1_000) { drive.apply(.found(service)) }
        let time = try #require(timeUntilFound(&drive, within: .seconds(60)))
        #expect(time <= .seconds(5))
        // The endpoints that wait have the reason.
        drive.run(for: .seconds(2))
        let waiting = drive.map.gateways.flatMap(\.paths).compactMap(\.waiting)
        #expect(waiting.count > 500 && Set(waiting) == [.addressBudget], "\(waiting.count)")
    }

    /// The reason for the wait of an endpoint is in the map at once when its address has used up its budget, since a
    /// scan may end at any time.
    @Test func whatWaitsForItsAddressSaysWhyAtOnce() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        for service in forged(0..<1_000) { drive.apply(.found(service)) }
        drive.run(for: .milliseconds(500))
        for service in forged(1_000..<1_200) { drive.apply(.found(service)) }
        drive.run(for: .milliseconds(1))
        let fresh = drive.map.gateways.flatMap(\.paths).filter { $0.waiting == .addressBudget }
        #expect(fresh.count > 1_100, "\(fresh.count)")
    }

    /// Two hundred new forged services a second do not hide a gateway that is announced by its own address.
    @Test func freshForgedServicesAllTheTime() throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        for second in 0..<10 {
            for service in forged(200 * second..<200 * (second + 1)) { drive.apply(.found(service)) }
            drive.run(for: .seconds(1))
        }
        drive.find(service(heardFrom: [Samples.address(1)]), .gateway(SampleGateway()))
        for second in 10..<15 where drive.row(of: endpoint)?.liveness == nil {
            for service in forged(200 * second..<200 * (second + 1)) { drive.apply(.found(service)) }
            drive.run(for: .seconds(1))
        }
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// Two hundred new forged services a second, while it is unknown who has sent any record, as with Avahi: the host
    /// of the gateway is queried directly, and its answer gives the gateway precedence.
    @Test func aHostThatIsAskedItselfIsNotHidden() throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        drive.network.answer([HostService(instance: Samples.instance("A"), port: 3_000)], by: Samples.address(1))
        for tenth in 0..<100 {
            for service in forged(20 * tenth..<20 * (tenth + 1)) { drive.apply(.found(service)) }
            drive.run(for: .milliseconds(100))
        }
        drive.find(service(), .gateway(SampleGateway()))
        let found = drive.elapsed
        for tenth in 100..<150 where drive.row(of: endpoint)?.liveness == nil {
            for service in forged(20 * tenth..<20 * (tenth + 1)) { drive.apply(.found(service)) }
            drive.run(for: .milliseconds(100))
        }
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        #expect(drive.elapsed - found <= .seconds(3), "\(drive.elapsed - found)")
        let times = drive.hostsAsked.map(\.time)
        #expect(drive.hostsAsked.allSatisfy { $0.address == Samples.address(1) })
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(2) }, "\(times)")
        // A later sighting from an unknown sender does not withdraw the host's confirmation.
        drive.apply(.changed(service(), [.txt]))
        #expect(drive.state.endpoints[endpoint]?.candidates.all.first?.standing == .confirmed)
    }

    /// A service that only its host has reported, since the daemon is far behind: its endpoint is asked at once, and
    /// keeps its row when the daemon reports the service.
    @Test func serviceReportedByItsHostAloneIsAsked() throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        drive.network.answer(
            [
                HostService(instance: Samples.instance("A"), port: 3_000),
                HostService(instance: Samples.instance("Dead"), port: 3_001),
                HostService(instance: Samples.instance("Portless"), port: 0),
            ],
            by: Samples.address(1)
        )
        drive.listen(.gateway(SampleGateway()), at: endpoint)
        for service in forged(0..<200) { drive.apply(.found(service)) }
        drive.run(for: .milliseconds(500))
        let row = try #require(drive.row(of: endpoint))
        #expect(row.liveness == .answering && row.services.isEmpty)
        #expect(
            drive.state.endpoints[Samples.endpoint(1, port: 3_001)] == nil,
            "an endpoint without an answer is forgotten"
        )
        #expect(drive.state.knownFromHostOnly == [endpoint])
        drive.run(for: .seconds(5))
        drive.apply(.found(service()))
        #expect(drive.row(of: endpoint)?.services == [Samples.instance("A")])
        #expect(drive.row(of: endpoint)?.id == row.id)
        #expect(drive.state.knownFromHostOnly.isEmpty)
        // It leaves the map as any other gateway does.
        drive.listen(.refusal, at: endpoint)
        drive.apply(.lost(service(), .withdrawn))
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// The number of endpoints that are known only from answers of their hosts is limited, since a host may name any
    /// number of its ports.
    @Test func whatAHostTellsOfIsBounded() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.network.answer(
            (0..<256).map { HostService(instance: Samples.instance("T\($0)"), port: UInt16(100 + $0)) },
            by: Samples.address(1)
        )
        for service in forged(0..<200) { drive.apply(.found(service)) }
        drive.run(for: .seconds(10))
        #expect(drive.state.knownFromHostOnly.count == 64)
        #expect(drive.state.endpoints.values.count { !$0.isWanted } == 64)
    }

    /// A host that does not answer is queried again while something waits at its address, and left alone once nothing
    /// does.
    @Test func aHostThatDoesNotAnswer() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        let services = forged(0..<200)
        for service in services { drive.apply(.found(service)) }
        drive.run(for: .seconds(9))
        #expect((4...5).contains(drive.hostsAsked.count), "\(drive.hostsAsked)")
        #expect(drive.state.endpoints.values.flatMap(\.candidates.all).allSatisfy { $0.standing == .stranger })
        #expect(drive.state.isIdle)
        for service in services { drive.apply(.lost(service, .withdrawn)) }
        drive.run(for: .seconds(5))
        let asked = drive.hostsAsked.count
        #expect(drive.state.hosts.count == 0)
        drive.run(for: .seconds(20))
        #expect(drive.hostsAsked.count == asked)
    }

    /// The answer of a host is believed for its own address only.
    @Test func whatAHostSaysHoldsForItsOwnAddress() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        let (liar, other) = (Samples.address(1), Samples.address(2))
        let elsewhere = (0..<100).map { number in
            Samples.service("E\(number)", at: [other], port: UInt16(10_000 + number))
        }
        let both = Samples.service("Both", at: [liar, other], port: 9_000)
        for service in forged(0..<100) + elsewhere + [both] { drive.apply(.found(service)) }
        drive.network.answer(
            elsewhere.map { HostService(instance: $0.instance, port: nil) }
                + forged(0..<100).map { HostService(instance: $0.instance, port: 1) }
                + [HostService(instance: both.instance, port: nil)],
            by: liar
        )
        drive.run(for: .seconds(1))
        #expect(drive.hostsAsked.contains { $0.address == liar })
        let confirmed = drive.state.endpoints.values.filter { $0.candidates.all.contains { $0.standing == .confirmed } }
        #expect(confirmed.map(\.endpoint) == [Endpoint(address: liar, port: 9_000)])
    }

    /// Of many hosts, only a few are queried at once, and only as many are remembered as the table has room for.
    @Test func manyHostsThatAreAsked() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        for host in 1...70 as ClosedRange<UInt32> {
            for port in 1...70 as ClosedRange<UInt16> {
                drive.apply(
                    .found(Samples.service("S\(host)-\(port)", at: [Samples.address(host)], port: 3_000 + port))
                )
            }
        }
        #expect(drive.hostsAsked.count <= HostTable.atOnce)
        drive.run(for: .seconds(15))
        #expect(Set(drive.hostsAsked.map(\.address)).count == HostTable.mostHosts)
        for (index, asked) in drive.hostsAsked.enumerated() {
            let soon = drive.hostsAsked[(index + 1)...].filter { $0.time < asked.time + .seconds(1) }
            #expect(soon.count <= HostTable.atOnce)
        }
        #expect(drive.state.hosts.count <= HostTable.mostHosts)
    }

    /// A thousand forged services whose packets claim to come from the gateway's address: the gateway is found within a
    /// minute.
    @Test(arguments: [0, 100, 900, 1_000])
    func aThousandWithAForgedSource(place: Int) throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        let own = [Samples.address(1)]
        for service in forged(0..<place, heardFrom: own) { drive.apply(.found(service)) }
        drive.find(service(heardFrom: own), .gateway(SampleGateway()))
        for service in forged(place..<1_000, heardFrom: own) { drive.apply(.found(service)) }
        let time = try #require(timeUntilFound(&drive, within: .seconds(300)))
        #expect(time <= .seconds(60))
        let waiting = drive.map.gateways.flatMap(\.paths).compactMap(\.waiting)
        #expect(Set(waiting).isSubset(of: [.addressBudget, .probeLimit]))
    }

    /// An endpoint at which a gateway has answered before is asked again before all forged ones.
    @Test func aGatewayThatWasKnownIsFoundAgain() throws {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        drive.find(service(), .gateway(SampleGateway()))
        drive.run(for: .seconds(5))
        for service in forged(0..<1_000, heardFrom: [Samples.address(1)]) { drive.apply(.found(service)) }
        drive.run(for: .seconds(20))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.apply(.lost(service(), .withdrawn))
        drive.run(for: .seconds(10))
        drive.listen(.gateway(SampleGateway().restarted), at: endpoint)
        drive.apply(.found(service()))
        let time = try #require(timeUntilFound(&drive, within: .seconds(60)))
        #expect(time <= .seconds(2))
    }

    /// Sixty real gateways at one address are all found within two minutes, and those that wait have the reason.
    @Test func sixtyGatewaysAtOneAddress() {
        var drive = ScanDrive()
        for number in 1...60 as ClosedRange<UInt16> {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(1)], port: 3_000 + number), .gateway(gateway))
        }
        drive.run(for: .seconds(3))
        let asked = drive.gateways.count
        #expect(asked < 60)
        #expect(
            drive.map.gateways.filter { $0.dialect == nil }.allSatisfy { $0.paths.map(\.waiting) == [.addressBudget] }
        )
        #expect(drive.state.progress.putOff == 60 - asked)
        drive.run(for: .seconds(117))
        #expect(drive.gateways.count { $0.liveness == .answering } == 60)
        #expect(drive.map.gateways.flatMap(\.paths).allSatisfy { $0.waiting == nil })
    }

    /// The number of endpoints that answer, but to which nothing leads any more, is limited.
    @Test func manyThatAnswerAndThatNothingPointsAt() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        let services = (1...400 as ClosedRange<UInt32>).map { Samples.service("S\($0)", at: [Samples.address($0)]) }
        for (number, service) in services.enumerated() { drive.find(service, .gateway(SampleGateway("f\(number)"))) }
        drive.run(for: .seconds(30))
        #expect(drive.gateways.count == 400)
        for service in services { drive.apply(.lost(service, .withdrawn)) }
        drive.run(for: .seconds(30))
        #expect(drive.state.endpoints.count <= 257)
        #expect(drive.map.gateways.count == drive.state.endpoints.count)
    }
}
