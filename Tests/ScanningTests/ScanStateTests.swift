import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import HostSystem
import Testing

@testable import Scanning

@Suite struct ScanStateTests {
    // MARK: Questions

    /// Each address of a service gets a probe of its own, so that an impostor at one of them is noticed.
    @Test func aServiceIsAskedAtAllItsAddressesAtOnce() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        #expect(drive.probes.map(\.question.endpoints) == [[Samples.endpoint(1)], [Samples.endpoint(2)]])
    }

    /// The scanner is not idle while an answer still has to be reported to the map; a caller that waits until it is
    /// idle would otherwise miss that answer.
    @Test func anAnswerThatIsNotYetToldIsWork() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        #expect(!drive.state.isIdle, "the probe is running")
        let job = try #require(drive.probes.first)
        drive.state.ended(job.id, report: Samples.report(Samples.endpoint(1)), now: drive.now)
        #expect(!drive.state.isIdle, "the answer has not been reported yet")
        drive.step()
        #expect(drive.state.isIdle)
    }

    @Test func twoServicesAtOneEndpointAreOneQuestion() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.apply(.found(Samples.service("B", at: [Samples.address(1)])))
        #expect(drive.probes.count == 1)
        #expect(drive.state.progress.targets == 1)
    }

    /// The hints of all candidates of an endpoint are asked for: a hint only changes the order of the steps, so that a
    /// false one hides no gateway.
    @Test func theHintsOfAllCandidatesAreAsked() throws {
        var drive = ScanDrive()
        let bridge = try #require(ServiceType.gatewayTypes.first { GatewayProbeTarget.expected(of: $0) == .bridge })
        drive.apply(.found(Samples.service("A", type: bridge, at: [Samples.address(1)])))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.silence())
        drive.run(for: .milliseconds(100))
        while drive.probes.isEmpty, drive.advance() {}
        #expect(drive.probes.first?.question.hints.map(\.expected) == [.bridge, .optaplus])
    }

    /// An entry of the user comes first among the candidates of an endpoint, and takes the place of another one where
    /// there is no more room.
    @Test func whatIsTypedInIsReadFirst() throws {
        var drive = ScanDrive()
        for number in 0..<40 { drive.apply(.found(Samples.service("F\(number)", at: [Samples.address(1)]))) }
        #expect(drive.state.endpoints[Samples.endpoint(1)]?.candidates.all.count == 32)
        drive.add(ManualGateway(endpoints: [Samples.endpoint(1)], expected: .clawline))
        let known = try #require(drive.state.endpoints[Samples.endpoint(1)])
        #expect(known.candidates.all.count == 32)
        #expect(known.target.hints.first?.expected == .clawline)
        #expect(known.standing == .manual)
    }

    /// An address that must not be connected to, such as a loopback address that another host advertises, is reported
    /// as refused and never probed.
    @Test func whatMustNotBeContactedIsToldAndNeverAsked() throws {
        var drive = ScanDrive()
        let loopback = try #require(IPAddress("127.0.0.1"))
        drive.apply(.found(Samples.service("A", at: [loopback])))
        #expect(drive.probes.isEmpty)
        let refused = BotMapEvent.probed(
            Endpoint(address: loopback, port: 3_000),
            .nothing(.notAllowed(.loopback))
        )
        #expect(drive.emitted.contains(refused))
        #expect(drive.state.progress.asked == 1)
        #expect(drive.state.progress.targets == 1)
        drive.apply(.changed(Samples.service("A", at: []), [.host]))
        #expect(drive.state.progress.targets == 0, "the service has no address any more")
    }

    /// A loopback address that is advertised over the loopback interface is probed, since only this host can have sent
    /// that packet.
    @Test func loopbackIsRightForAServiceOfThisHost() throws {
        var drive = ScanDrive()
        drive.state.networks = HostNetworks(prefixes: [], loopbacks: [1])
        let lo = ServicePath(interface: NetworkInterface(index: 1, name: "lo"), family: .ipv4)
        let loopback = try #require(IPAddress("127.0.0.1"))
        drive.apply(.found(Samples.service("A", on: lo, at: [loopback])))
        #expect(drive.probes.first?.endpoint.address == loopback)
    }

    /// The machine that has an address, according to the kernel's neighbour table, is reported once, with the first
    /// answer after it is known.
    @Test func machineOfAnAddressIsReportedOnce() throws {
        var drive = ScanDrive()
        let hardware = try #require(HardwareAddress([2, 0, 0, 0, 0, 9]))
        drive.state.networks.neighbours.insert(hardware, for: Samples.address(1), interface: 2)
        drive.find(Samples.service("A", at: [Samples.address(1), Samples.address(2)]), .gateway(SampleGateway()))
        drive.run(for: .seconds(150))
        let located = drive.emitted.filter { if case .located = $0 { true } else { false } }
        #expect(located == [.located(Samples.endpoint(1), .neighbour(hardwareAddress: [2, 0, 0, 0, 0, 9]))])
    }

    /// An address of this host that another host advertises is refused: a connection to it would go over loopback, past
    /// this host's own firewall.
    @Test func anAddressOfThisHostThatAnotherOneAdvertisesIsNotAsked() {
        var drive = ScanDrive()
        drive.state.networks = HostNetworks(addresses: [Samples.address(1)])
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)], heardFrom: [Samples.address(2)])))
        #expect(drive.probes.isEmpty)
        // The refusal waits for a moment: the service may be this host's own, whose announcement follows soon.
        let refused = BotMapEvent.probed(Samples.endpoint(1), .nothing(.notAllowed(.ownAddress)))
        #expect(!drive.emitted.contains(refused) && !drive.state.isIdle)
        drive.run(for: .seconds(1))
        #expect(drive.emitted.contains(refused) && drive.state.isIdle)
        drive.apply(.found(Samples.service("B", at: [Samples.address(1)], heardFrom: [Samples.address(1)])))
        #expect(drive.probes.map(\.endpoint) == [Samples.endpoint(1)])
    }

    @Test func aNewAddressIsAskedAndTheOldAnswerKept() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1), Samples.address(2)]), [.addresses]))
        #expect(drive.probes.map(\.endpoint) == [Samples.endpoint(2)])
    }

    @Test func aChangedRecordIsAReasonToAskAgain() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["bots=2"]), [.txt]))
        #expect(drive.probes.map(\.endpoint) == [Samples.endpoint(1)])
        #expect(drive.probes.map(\.standing) == [.answered])
    }

    @Test func everyAddressIsAskedBeforeNothingIsThere() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        drive.apply(.found(Samples.service("A", at: (1...6).map { Samples.address($0) })))
        #expect(drive.state.progress.asked == 0)
        drive.run(for: .milliseconds(500))
        #expect(drive.state.progress.asked == 6)
        #expect(drive.state.isIdle)
        for last in 1...6 as ClosedRange<UInt32> {
            #expect(drive.emitted.contains(.probed(Samples.endpoint(last), .nothing(.refused))))
        }
    }

    /// An endpoint that answers as another gateway than before makes the scanner probe the other endpoints of its row
    /// as well, since their former answers may be outdated.
    @Test func whatChangesAtOneAddressIsAskedAtTheOthersToo() throws {
        var drive = ScanDrive()
        let addresses = [Samples.address(1), Samples.address(2)]
        drive.find(Samples.service("A", at: addresses), .gateway(SampleGateway(dialect: .bridge)))
        drive.run(for: .seconds(1))
        #expect(drive.map.gateways.count == 1)
        drive.apply(.changed(Samples.service("A", at: addresses, txt: ["bots=1"]), [.txt]))
        while let job = drive.probes.first(where: { $0.endpoint == Samples.endpoint(2) }) {
            drive.end(job, Samples.report(job.endpoint))
        }
        let time = drive.elapsed
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1), dialect: .openAgents))
        drive.run(for: .seconds(2))
        #expect(drive.questions.contains { $0.endpoint == Samples.endpoint(2) && $0.isProbe && $0.time >= time })
    }

    /// A probe of another address that does not end does not keep an endpoint from being probed again.
    @Test func aProbeThatWaitsDoesNotEndTheWatch() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        let stuck = try #require(drive.probes.last)
        #expect(stuck.endpoint == Samples.endpoint(2))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        // The probe of the other address does not end; meanwhile it becomes time to probe this one again for its bots.
        var isAskedAnew = false
        for _ in 0..<2_000 where drive.elapsed < .seconds(90) {
            guard drive.advance() else { break }
            for check in drive.checks { drive.answer(check) }
            for job in drive.probes where job.id != stuck.id {
                isAskedAnew = true
                drive.end(job, Samples.report(job.endpoint))
            }
        }
        #expect(drive.elapsed >= .seconds(90))
        #expect(isAskedAnew)
        drive.end(stuck, Samples.silence())
        #expect(drive.state.next != nil)
    }

    /// An endpoint whose record changes during its probe is probed again when that ends, since the answer may be older
    /// than the change.
    @Test func aChangeDuringAProbeIsAskedAbout() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["bots=2"]), [.txt]))
        let running = try #require(drive.probes.first)
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["bots=3"]), [.txt]))
        while drive.elapsed < .seconds(1), drive.advance() {}
        drive.end(running, Samples.report(Samples.endpoint(1)))
        #expect(drive.probes.map(\.endpoint) == [Samples.endpoint(1)])
    }

    // MARK: Limits

    @Test func atMostTwentyFourStrangersAtOnceAndThirtyTwoInAll() throws {
        var drive = ScanDrive()
        for number in 1...100 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        #expect(drive.probes.count == 24)
        drive.end(try #require(drive.probes.first), Samples.silence())
        #expect(drive.probes.count == 24)
        #expect(drive.state.progress.remaining == 99)
        for number in 101...120 as ClosedRange<UInt32> {
            drive.add(ManualGateway(endpoints: [Samples.endpoint(number)]))
        }
        #expect(drive.probes.count == 32)
    }

    /// A thousand forged services at one address never cause more than sixty connections to it in a minute, and another
    /// address is still asked at once.
    @Test func aForgerCannotAimUsAtAVictim() {
        var drive = ScanDrive()
        drive.listenEverywhere(.webServer)
        for number in 0..<1_000 as Range<UInt16> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(1)], port: 2_000 + number)))
        }
        drive.apply(.found(Samples.service("other", at: [Samples.address(2)])))
        drive.run(for: .seconds(600))
        #expect(drive.questions.contains { $0.endpoint.address == Samples.address(2) && $0.time < .seconds(1) })
        // A probe of a web server takes two connections.
        let probes = drive.questions.filter { $0.endpoint.address == Samples.address(1) }.map(\.time)
        #expect(probes.count > 150)
        for index in probes.indices.dropFirst(30) {
            #expect(probes[index] - probes[index - 30] >= .seconds(59.9))
        }
    }

    /// Nothing is scheduled before the first service is found, or after the last one is lost.
    @Test func nothingIsDueWhenNothingIsThere() {
        var drive = ScanDrive()
        drive.step()
        #expect(drive.state.next == nil)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        for job in drive.probes { drive.end(job, Samples.report(Samples.endpoint(1))) }
        while drive.advance() {}
        #expect(drive.state.next == nil)
        #expect(drive.state.endpoints.count == 0)
        #expect(drive.state.progress.remaining == 0)
        #expect(drive.map.gateways.isEmpty)
    }

    /// The number of silent endpoints that are remembered is limited, and all are forgotten after ten minutes.
    @Test func whatHasStoppedAnsweringIsForgottenInTheEnd() {
        var drive = ScanDrive()
        drive.keepsRecords = false
        for number in 1...1_100 as ClosedRange<UInt32> {
            let service = Samples.service("S\(number)", at: [Samples.address(number)])
            drive.find(service, .gateway(SampleGateway("f\(number)")))
            drive.run(for: .milliseconds(10))
            drive.apply(.lost(service, .withdrawn))
            drive.listen(.refusal, at: Samples.endpoint(number))
        }
        drive.run(for: .seconds(70))
        #expect(drive.state.silent.count <= ScanState.mostRemembered)
        #expect(drive.state.endpoints.count == 0)
        drive.run(for: .seconds(700))
        #expect(drive.state.silent.isEmpty)
        #expect(drive.state.next == nil)
        #expect(drive.map.gateways.isEmpty)
    }
}
