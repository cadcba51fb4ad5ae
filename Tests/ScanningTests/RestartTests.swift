import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import HostSystem
import TestSupport
import Testing

@testable import Scanning

/// Gateways that end and come back: as the same gateway, as another one, or elsewhere.
@Suite struct RestartTests {
    private let endpoint = Samples.endpoint(1)

    private func found(_ service: DiscoveredService, _ gateway: SampleGateway = SampleGateway()) -> ScanDrive {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        drive.find(service, .gateway(gateway))
        drive.run(for: .seconds(10))
        return drive
    }

    /// A gateway with two addresses is replaced by another gateway at both of them, at any time after it was found: the
    /// old row ends before the new one is shown, within two seconds.
    @Test(arguments: [100, 900, 1_100, 1_900, 2_100, 2_900, 10_000], [0, 20, 300, 1_000, 1_800])
    func aGatewayOfTwoAddressesIsReplaced(after milliseconds: Int, absence: Int) throws {
        let addresses = [Samples.address(1), Samples.address(2)]
        let places = addresses.map { Endpoint(address: $0, port: 3_000) }
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        drive.listen(.gateway(SampleGateway("old")), at: places)
        drive.apply(.found(Samples.service("A", at: [addresses[0]], txt: ["fp=old"])))
        drive.run(for: .milliseconds(20))
        let old = Samples.service("A", at: addresses, txt: ["fp=old"])
        drive.apply(.changed(old, [.addresses]))
        drive.run(for: .milliseconds(milliseconds))
        drive.listen(.refusal, at: places)
        drive.apply(.lost(old, .withdrawn))
        drive.run(for: .milliseconds(absence))
        let time = drive.elapsed
        var gateway = SampleGateway("new").restarted
        gateway.roundTrip = .milliseconds(2)
        drive.listen(.gateway(gateway), at: places)
        drive.run(for: .milliseconds(30))
        drive.apply(.found(Samples.service("A", at: [addresses[1]], txt: ["fp=new"])))
        drive.run(for: .milliseconds(30))
        drive.apply(.changed(Samples.service("A", at: addresses, txt: ["fp=new"]), [.addresses]))
        drive.run(for: .seconds(20))
        try expectReplacement(drive, within: .seconds(2), since: time)
    }

    /// The same, if the new gateway answers first at an address that the old one was not known to have.
    @Test(arguments: [100, 900, 1_100, 1_900], [0, 20, 300, 1_000])
    func aGatewayIsReplacedAtAnAddressThatIsNew(after milliseconds: Int, absence: Int) throws {
        let addresses = [Samples.address(1), Samples.address(2)]
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        let old = Samples.service("A", at: [addresses[0]], txt: ["fp=old"])
        drive.find(old, .gateway(SampleGateway("old")))
        drive.run(for: .milliseconds(milliseconds))
        drive.listenEverywhere(.refusal)
        drive.apply(.lost(old, .withdrawn))
        drive.run(for: .milliseconds(absence))
        let time = drive.elapsed
        drive.listen(.gateway(SampleGateway("new").restarted), at: addresses.map { Endpoint(address: $0, port: 3_000) })
        drive.run(for: .milliseconds(30))
        drive.apply(.found(Samples.service("A", at: addresses, txt: ["fp=new"])))
        drive.run(for: .seconds(20))
        try expectReplacement(drive, within: .seconds(2), since: time)
    }

    /// The same, while the records still claim the fingerprint of the old gateway: the answer at the same port of the
    /// same machine shows that it has been replaced, and nothing is flagged as a contradiction in the meantime.
    @Test(arguments: [100, 900, 1_900], [50, 400, 1_000])
    func aGatewayIsReplacedBeforeItsRecordsAre(after milliseconds: Int, delay: Int) throws {
        var drive = try onOneMachine(after: milliseconds)
        let time = drive.elapsed
        drive.listen(.gateway(SampleGateway("new").restarted), at: [endpoint, Samples.endpoint(2)])
        drive.apply(.changed(service(claiming: "old"), [.addresses]))
        drive.run(for: .milliseconds(delay))
        drive.apply(.changed(service(claiming: "new"), [.txt]))
        drive.run(for: .seconds(20))
        try expectReplacement(drive, within: .seconds(3), since: time)
        #expect(!drive.changeLines().contains { $0.contains("contradicts") }, "\(drive.changeLines())")
    }

    /// A gateway with two known addresses is replaced while its records still claim the old fingerprint: these count as
    /// a contradiction only if they have not followed by the second answer.
    @Test(arguments: [50, 400])
    func aGatewayOfTwoKnownAddressesIsReplacedBeforeItsRecordsAre(delay: Int) throws {
        var drive = try onOneMachine(after: 50)
        drive.listen(.gateway(SampleGateway("old")), at: [endpoint, Samples.endpoint(2)])
        drive.apply(.changed(service(claiming: "old"), [.addresses]))
        drive.run(for: .seconds(10))
        drive.listen(.gateway(SampleGateway("new").restarted), at: [endpoint, Samples.endpoint(2)])
        drive.apply(.changed(service(claiming: "old"), [.port]))
        drive.run(for: .milliseconds(delay))
        drive.apply(.changed(service(claiming: "new"), [.txt]))
        drive.run(for: .seconds(20))
        #expect(!drive.changeLines().contains { $0.contains("contradicts") }, "\(drive.changeLines())")
        #expect(drive.map.gateways.map(\.fingerprint) == [GatewayFingerprint("new")])
    }

    /// A forger whose service already leads to the victim's address, and claims its fingerprint, before the victim
    /// first answers, cannot keep the victim's row from being shown.
    @Test func aForgerWithholdsNoRow() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        let victim = Samples.endpoint(2)
        drive.find(Samples.service("Forger", at: [Samples.address(1)], txt: ["fp=x"]), .gateway(SampleGateway("x")))
        drive.run(for: .seconds(1))
        drive.listen(.gateway(SampleGateway("v", name: "Victim")), at: [victim])
        let forged = Samples.service("Forger", at: [Samples.address(1), Samples.address(2)], txt: ["fp=v"])
        drive.apply(.found(Samples.service("Victim", at: [Samples.address(2)], txt: ["fp=v"])))
        drive.apply(.changed(forged, [.txt, .addresses]))
        drive.run(for: .milliseconds(100))
        #expect(drive.map.gateways.contains { $0.fingerprint == GatewayFingerprint("v") }, "\(drive.changeLines())")
    }

    /// Records that go on claiming the old fingerprint are flagged as a contradiction.
    @Test func recordsThatStay() throws {
        var drive = try onOneMachine(after: 900)
        drive.listen(.gateway(SampleGateway("new").restarted), at: [endpoint, Samples.endpoint(2)])
        drive.apply(.changed(service(claiming: "old"), [.addresses]))
        drive.run(for: .seconds(10))
        #expect(drive.map.gateways.map(\.flags) == [[.contradicts]], "\(drive.changeLines())")
    }

    /// A new gateway at another address of the machine, while the old one goes on answering: both are shown.
    @Test(arguments: [100, 900, 1_900])
    func aGatewayBesideAnotherOnOneMachine(after milliseconds: Int) throws {
        var drive = try onOneMachine(after: milliseconds)
        drive.listen(.gateway(SampleGateway("new").restarted), at: [Samples.endpoint(2)])
        drive.apply(.changed(service(claiming: "old"), [.addresses]))
        drive.run(for: .seconds(2))
        let fingerprints = Set(drive.map.gateways.compactMap(\.fingerprint))
        #expect(fingerprints == [GatewayFingerprint("old"), GatewayFingerprint("new")], "\(drive.changeLines())")
    }

    private func service(claiming fingerprint: String) -> DiscoveredService {
        Samples.service("A", at: [Samples.address(1), Samples.address(2)], txt: ["fp=\(fingerprint)"])
    }

    /// Returns a drive in which a gateway is known at the first of two addresses of its machine.
    private func onOneMachine(after milliseconds: Int) throws -> ScanDrive {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        let hardware = try #require(HardwareAddress([2, 0, 0, 0, 0, 1]))
        for address in [Samples.address(1), Samples.address(2)] {
            drive.state.networks.neighbours.insert(hardware, for: address, interface: 2)
        }
        drive.find(Samples.service("A", at: [Samples.address(1)], txt: ["fp=old"]), .gateway(SampleGateway("old")))
        drive.run(for: .milliseconds(milliseconds))
        return drive
    }

    private func expectReplacement(_ drive: ScanDrive, within limit: Duration, since time: Duration) throws {
        let lines = drive.changeLines()
        #expect(drive.map.gateways.map(\.fingerprint) == [GatewayFingerprint("new")], "\(lines)")
        let lost = try #require(lines.firstIndex { $0 == "- gateway Home" }, "\(lines)")
        let found = try #require(lines.lastIndex { $0.hasPrefix("+") }, "\(lines)")
        #expect(lost < found && lines.count { $0 == "+ gateway Home" } == 2, "\(lines)")
        let back = drive.changes.last { if case .found = $0.change { true } else { false } }?.time
        #expect(try #require(back) - time <= limit, "\(lines)")
    }

    /// A gateway that ends while the addresses in its records change stays one row of a gateway until it is lost.
    @Test(arguments: [Listener.refusal, .silence], [true, false])
    func aGatewayThatEndsWhileItsAddressesChange(afterwards: Listener, isAdvertisedOn: Bool) {
        let (one, two, three) = (Samples.address(1), Samples.address(2), Samples.address(3))
        var drive = found(Samples.service("A", at: [one, two], txt: ["fp=f"]))
        let time = drive.elapsed
        drive.listenEverywhere(afterwards)
        drive.listen(afterwards, at: [endpoint, Samples.endpoint(2)])
        drive.apply(.changed(Samples.service("A", at: [two], txt: ["fp=f"]), [.addresses]))
        drive.run(for: .milliseconds(300))
        drive.apply(.changed(Samples.service("A", at: [two, three], txt: ["fp=f"]), [.addresses]))
        drive.run(for: .milliseconds(1_700))
        drive.apply(.changed(Samples.service("A", at: [three], txt: ["fp=f"]), [.addresses]))
        drive.run(for: .seconds(isAdvertisedOn ? 12 : 3))
        drive.apply(.lost(Samples.service("A", at: [three], txt: ["fp=f"]), .withdrawn))
        drive.run(for: .seconds(120))
        let lines = drive.changeLines(since: time)
        #expect(drive.map.gateways.isEmpty, "\(lines)")
        #expect(lines.count { $0.hasPrefix("-") } == 1, "\(lines)")
        #expect(!lines.contains { $0.contains("other") || $0.hasPrefix("+") }, "\(lines)")
    }

    /// A restart that takes less than two seconds shows the gateway as suspect at most.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw, .bridge])
    func aRestartWithinTwoSeconds(dialect: GatewayDialect) {
        let service = Samples.service("A", at: [Samples.address(1)])
        let gateway = SampleGateway(dialect: dialect)
        var drive = found(service, gateway)
        let (time, id) = (drive.elapsed, drive.map.gateways.first?.id)
        drive.listen(.refusal, at: endpoint)
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .milliseconds(1_900))
        drive.listen(.gateway(gateway.restarted), at: endpoint)
        drive.apply(.found(service))
        drive.run(for: .seconds(2))
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
        drive.run(for: .seconds(60))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.contains("gone") || $0.hasPrefix("+") || $0.hasPrefix("-") }, "\(lines)")
        #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self))
    }

    /// A gateway whose process ends during a probe closes a WebSocket without a word: that is a missed answer, and no other
    /// service in its place. Forged records make it be probed at any time.
    @Test func aGatewayThatEndsDuringAProbe() throws {
        var drive = found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"]))
        let (time, id) = (drive.elapsed, drive.map.gateways.first?.id)
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["fp=forged"]), [.txt]))
        let job = try #require(drive.probes.first)
        drive.listen(.refusal, at: endpoint)
        drive.end(job, Samples.answer(of: endpoint, status: 101))
        drive.run(for: .milliseconds(900))
        drive.listen(.gateway(SampleGateway().restarted), at: endpoint)
        drive.run(for: .seconds(10))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.hasPrefix("- gateway") || $0.hasPrefix("+ gateway") }, "\(lines)")
        #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self))
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
    }

    /// Whoever hangs up on every WebSocket has the place of a gateway once that is gone.
    @Test func aStrangerThatHangsUpFollowsAGateway() throws {
        var drive = found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"]))
        drive.listen(.front(status: 101), at: endpoint)
        drive.run(for: .seconds(3))
        #expect(!drive.gateways.isEmpty, "\(drive.changeLines())")
        drive.run(for: .seconds(20))
        #expect(drive.gateways.isEmpty, "\(drive.changeLines())")
    }

    /// A gateway that is back after eight seconds was gone in between, and is back under the same identifier.
    @Test(arguments: [true, false])
    func aRestartAfterEightSeconds(saysGoodbye: Bool) {
        let service = Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"])
        var drive = found(service)
        let (time, id) = (drive.elapsed, drive.map.gateways.first?.id)
        drive.listen(.refusal, at: endpoint)
        if saysGoodbye { drive.apply(.lost(service, .withdrawn)) }
        drive.run(for: .seconds(8))
        drive.listen(.gateway(SampleGateway().restarted), at: endpoint)
        drive.apply(saysGoodbye ? .found(service) : .changed(service, [.txt]))
        drive.run(for: .seconds(2))
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
        drive.run(for: .seconds(60))
        #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.contains("other") || $0.contains("contradicts") }, "\(lines)")
        #expect(lines.count { $0.hasPrefix("-") } <= (saysGoodbye ? 1 : 0), "\(lines)")
    }

    /// A gateway that comes back at its port with another fingerprint: one row is lost, another one is found, and
    /// nothing is flagged.
    @Test(arguments: [1, 3, 9, 20])
    func aRestartWithAnotherFingerprint(pause: Int) {
        var drive = found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"]))
        let time = drive.elapsed
        drive.listen(.refusal, at: endpoint)
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"]), .withdrawn))
        drive.run(for: .seconds(pause))
        drive.listen(.gateway(SampleGateway("g", name: "New").restarted), at: endpoint)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=g"])))
        drive.run(for: .seconds(60))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.contains("contradicts") || $0.contains("sameFingerprint") }, "\(lines)")
        #expect(lines.count { $0.hasPrefix("- gateway") } == 1, "\(lines)")
        #expect(lines.count { $0.hasPrefix("- ") } == 1 || pause > 5, "\(lines)")
        #expect(drive.map.gateways.map(\.id) == [.fingerprint(Samples.fingerprint("g"))])
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
    }

    /// A gateway that comes back on another port keeps its row.
    @Test func aRestartOnAnotherPort() {
        let old = Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"])
        let new = Samples.service("A", at: [Samples.address(1)], port: 3_001, txt: ["fp=f"])
        var drive = found(old)
        let time = drive.elapsed
        drive.listen(.refusal, at: endpoint)
        drive.listen(.gateway(SampleGateway().restarted), at: Samples.endpoint(1, port: 3_001))
        drive.apply(.changed(new, [.port]))
        drive.run(for: .seconds(60))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.hasPrefix("+") || $0.hasPrefix("-") }, "\(lines)")
        #expect(drive.map.gateways.map(\.id) == [.fingerprint(Samples.fingerprint("f"))])
        #expect(drive.map.gateways.first?.liveness == .answering)
        #expect(drive.map.gateways.first?.paths.map(\.endpoint) == [Samples.endpoint(1, port: 3_001)])
        #expect(drive.map.gateways.first?.flags == [])
    }

    /// Six gateways at one address restart every ten seconds for ten minutes, and are shown as answering within two
    /// seconds each time: the limit of connections per address does not delay them.
    @Test(arguments: [true, false], [GatewayDialect.optaplus, .openClaw])
    func sixThatAreRestartedAllTheTime(sayGoodbye: Bool, dialect: GatewayDialect) {
        var drive = ScanDrive()
        drive.keepsRecords = false
        drive.listenEverywhere(.refusal)
        let services = (1...6).map { number in
            Samples.service("S\(number)", at: [Samples.address(1)], port: UInt16(3_000 + number))
        }
        let endpoints = (1...6).map { Samples.endpoint(1, port: UInt16(3_000 + $0)) }
        var latest = Duration.zero
        for round in 0..<60 {
            for (number, service) in services.enumerated() {
                var gateway = SampleGateway(
                    dialect: dialect,
                    fingerprint: "f\(number)",
                    name: "G\(number)",
                    connections: dialect == .openClaw ? 2 : 1
                )
                gateway.process = round
                drive.listen(.gateway(gateway), at: endpoints[number])
                if sayGoodbye || round == 0 { drive.apply(.found(service)) }
            }
            let time = drive.elapsed
            while drive.map.gateways.count(where: { $0.liveness == .answering }) < 6, drive.elapsed < time + .seconds(9)
            {
                drive.run(for: .milliseconds(100))
            }
            latest = max(latest, drive.elapsed - time)
            drive.run(for: .seconds(9) - (drive.elapsed - time))
            drive.listen(.refusal, at: endpoints)
            if sayGoodbye { for service in services { drive.apply(.lost(service, .withdrawn)) } }
            drive.run(for: .seconds(1))
        }
        #expect(latest <= .seconds(2))
    }

    /// A new gateway is shown at once at an address at which six of twelve gateways have stopped and are asked again
    /// and again.
    @Test func aNewOneBesideSixThatHaveStopped() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        for number in 1...12 as ClosedRange<UInt16> {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            let service = Samples.service("S\(number)", at: [Samples.address(1)], port: 3_000 + number)
            drive.find(service, .gateway(gateway))
        }
        drive.run(for: .seconds(10))
        #expect(drive.gateways.count == 12)
        drive.listen(.refusal, at: (1...6).map { Samples.endpoint(1, port: 3_000 + $0) })
        drive.run(for: .seconds(30))
        drive.find(
            Samples.service("New", at: [Samples.address(1)], port: 4_000),
            .gateway(SampleGateway("new", name: "New"))
        )
        drive.run(for: .seconds(2))
        #expect(drive.row(of: Samples.endpoint(1, port: 4_000))?.liveness == .answering)
        #expect(drive.gateways.count { $0.liveness == .answering } == 7)
    }

    /// A gateway that has crashed and restarted a hundred times is still shown as answering within two seconds.
    @Test func aCrashLoop() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = found(service)
        var gateway = SampleGateway()
        for _ in 0..<100 {
            drive.listen(.refusal, at: endpoint)
            drive.apply(.lost(service, .withdrawn))
            drive.run(for: .milliseconds(1_500))
            gateway = gateway.restarted
            drive.listen(.gateway(gateway), at: endpoint)
            drive.apply(.found(service))
            drive.run(for: .milliseconds(1_500))
        }
        drive.run(for: .milliseconds(2_000))
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
    }

    /// A clone, with the same fingerprint on another host, comes and goes three times: it has a row of its own while it
    /// is there, and the row of the original stays.
    @Test(arguments: [0, 3])
    func aCloneComesAndGoes(seconds: Int) {
        var drive = found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=f"]))
        let (time, id) = (drive.elapsed, drive.map.gateways.first?.id)
        let clone = Samples.service("A (2)", at: [Samples.address(2)], txt: ["fp=f"], host: "clone.local")
        for _ in 0..<3 {
            let before = drive.changeLines(since: time).count
            drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
            drive.apply(.found(clone))
            drive.run(for: .seconds(30))
            #expect(drive.map.gateways.count == 2)
            #expect(drive.map.gateways.allSatisfy { $0.flags == [.sameFingerprint] })
            drive.listen(.refusal, at: Samples.endpoint(2))
            drive.run(for: .seconds(seconds))
            drive.apply(.lost(clone, .withdrawn))
            drive.run(for: .seconds(60))
            let lines = drive.changeLines(since: time).dropFirst(before)
            #expect(lines.count { $0.hasPrefix("+ gateway") } == 1, "\(lines)")
            #expect(lines.count { $0.hasPrefix("- gateway") } == 1, "\(lines)")
            #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self))
            #expect(drive.map.gateways.map(\.flags) == [[]])
        }
        #expect(drive.map.gateways.first?.paths.map(\.endpoint) == [endpoint])
    }
}
