import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Thousands of forged services must not hide a true one, and what waits says why.
@Suite struct FloodTests {
    private let endpoint = Samples.endpoint(1)

    /// Services at the gateway's own address, each of another host at another port, where nobody listens.
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

    /// Returns the time that passes until the gateway is shown as what it is, or `nil` past the limit.
    private func timeUntilFound(_ drive: inout ScanDrive, within limit: Duration) -> Duration? {
        let time = drive.elapsed
        while drive.elapsed < time + limit {
            if drive.row(of: endpoint)?.liveness == .answering { return drive.elapsed - time }
            drive.run(for: .milliseconds(100))
        }
        return nil
    }

    /// A thousand that the gateway's address itself did not tell of.
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
        // What waits says why.
        drive.run(for: .seconds(2))
        let waiting = drive.map.gateways.flatMap(\.paths).compactMap(\.waiting)
        #expect(waiting.count > 500 && Set(waiting) == [.addressBudget], "\(waiting.count)")
    }

    /// A scan may end at any time.
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

    /// Two hundred fresh ones a second, for a minute.
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

    /// Two hundred fresh ones a second, each of another host, and nothing tells who has sent what: the gateway's host is asked.
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
        // A later sighting, of which nothing tells who has sent it, takes nothing back.
        drive.apply(.changed(service(), [.txt]))
        #expect(drive.state.endpoints[endpoint]?.candidates.first?.standing == .confirmed)
    }

    /// The daemon is far behind: what the host says is asked at once, and is the same row when the daemon speaks of it.
    @Test func whatOnlyItsHostHasToldOf() throws {
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
        #expect(drive.state.endpoints[Samples.endpoint(1, port: 3_001)] == nil, "what does not answer is forgotten")
        #expect(drive.state.knownFromHostOnly == [endpoint])
        drive.run(for: .seconds(5))
        drive.apply(.found(service()))
        #expect(drive.row(of: endpoint)?.services == [Samples.instance("A")])
        #expect(drive.row(of: endpoint)?.id == row.id)
        #expect(drive.state.knownFromHostOnly.isEmpty)
        // It goes as anything else does.
        drive.listen(.refusal, at: endpoint)
        drive.apply(.lost(service(), .withdrawn))
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// A host may name any number of its ports.
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

    /// It is asked again while something waits, says nothing, and is left alone when nothing waits any more.
    @Test func aHostThatDoesNotAnswer() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        let services = forged(0..<200)
        for service in services { drive.apply(.found(service)) }
        drive.run(for: .seconds(9))
        #expect((4...5).contains(drive.hostsAsked.count), "\(drive.hostsAsked)")
        #expect(drive.state.endpoints.values.flatMap(\.candidates).allSatisfy { $0.standing == .stranger })
        #expect(drive.state.isIdle)
        for service in services { drive.apply(.lost(service, .withdrawn)) }
        drive.run(for: .seconds(5))
        let asked = drive.hostsAsked.count
        #expect(drive.state.hosts.count == 0)
        drive.run(for: .seconds(20))
        #expect(drive.hostsAsked.count == asked)
    }

    /// A host speaks of its own address alone.
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
        let confirmed = drive.state.endpoints.values.filter { $0.candidates.contains { $0.standing == .confirmed } }
        #expect(confirmed.map(\.endpoint) == [Endpoint(address: liar, port: 9_000)])
    }

    /// Of many hosts, a few are asked at a time, and not more than can be remembered.
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

    /// The source of the packets is forged too.
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

    /// An endpoint where a gateway has answered before goes before all the forged ones.
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

    /// Sixty true gateways at one address: all are found within two minutes, and those that wait say why.
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

    /// Endpoints that answer and that nothing points at any more are kept, and not without end.
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
