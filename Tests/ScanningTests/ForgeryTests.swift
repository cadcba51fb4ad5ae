import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Forged records about a gateway that answers. They may add candidates and flags, but what the row shows is decided by
/// answers alone.
@Suite struct ForgeryTests {
    private let endpoint = Samples.endpoint(1)
    private let txt = ["fp=f"]
    private let gateway = SampleGateway(bots: ["1", "2"])
    private let impostor = SampleGateway(bots: ["evil"])

    private var service: DiscoveredService { Samples.service("A", at: [Samples.address(1)], txt: txt) }

    private func watching() -> ScanDrive {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        drive.find(service, .gateway(gateway))
        drive.run(for: .seconds(7))
        return drive
    }

    /// Expects that the row of the true gateway is as it was at first, except for its flags, and that nothing since
    /// `time` has shown it as suspect, gone or lost.
    private func expectRowUnharmed(
        _ drive: ScanDrive,
        since time: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let row = drive.row(of: endpoint)
        #expect(row?.id == .fingerprint(Samples.fingerprint("f")), sourceLocation: sourceLocation)
        #expect(row?.paths.first?.endpoint == endpoint, sourceLocation: sourceLocation)
        #expect(row?.liveness == .answering, sourceLocation: sourceLocation)
        #expect(row?.bots.map(\.id.bot.text) == ["1", "2"], sourceLocation: sourceLocation)
        #expect(row?.name == "Home", sourceLocation: sourceLocation)
        let lines = drive.changeLines(since: time)
        let isOver = lines.contains {
            $0.hasPrefix("- gateway Home") || $0.contains("Home suspect") || $0.contains("Home gone")
        }
        #expect(!isOver, "\(lines)", sourceLocation: sourceLocation)
    }

    /// The port in the SRV record changes fifty times within a second, and stays forged for ten minutes afterwards: the
    /// gateway keeps its row at the true port.
    @Test func aForgedPort() {
        var drive = watching()
        let time = drive.elapsed
        let forged = Samples.service("A", at: [Samples.address(1)], port: 4_000, txt: txt)
        for _ in 0..<25 {
            drive.apply(.changed(forged, [.port]))
            drive.run(for: .milliseconds(20))
            drive.apply(.changed(service, [.port]))
            drive.run(for: .milliseconds(20))
        }
        drive.apply(.changed(forged, [.port]))
        drive.run(for: .seconds(600))
        expectRowUnharmed(drive, since: time)
        #expect(drive.map.gateways.count == 1)
        drive.apply(.changed(service, [.port]))
        drive.run(for: .seconds(10))
        expectRowUnharmed(drive, since: time)
        #expect(drive.row(of: endpoint)?.paths.count == 1)
    }

    /// A forged goodbye, first of the address record and then of the whole service, does not end the row while the
    /// gateway answers.
    @Test func aForgedGoodbyeOfItsAddress() {
        var drive = watching()
        let time = drive.elapsed
        drive.apply(.changed(Samples.service("A", at: [], txt: txt), [.addresses]))
        drive.run(for: .seconds(300))
        expectRowUnharmed(drive, since: time)
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(300))
        expectRowUnharmed(drive, since: time)
        drive.apply(.found(service))
        drive.run(for: .seconds(300))
        expectRowUnharmed(drive, since: time)
        #expect(drive.map.gateways.count == 1)
    }

    /// A process that repeats the fingerprint and name of the true gateway, and to which forged records lead, neither
    /// leads the row of the true gateway nor takes it over while that restarts.
    @Test(arguments: [true, false])
    func anImpostorLeadsNothing(isSameService: Bool) {
        var drive = watching()
        let time = drive.elapsed
        drive.listen(.gateway(impostor), at: Samples.endpoint(9))
        if isSameService {
            drive.apply(.changed(Samples.service("A", at: [Samples.address(9)], txt: txt), [.addresses]))
        } else {
            drive.apply(.found(Samples.service("B", at: [Samples.address(9)], txt: txt, host: "evil.local")))
        }
        drive.run(for: .seconds(120))
        expectRowUnharmed(drive, since: time)
        let flags = drive.row(of: endpoint)?.flags ?? []
        #expect(flags == [isSameService ? .contradicts : .sameFingerprint])
        // The true gateway ends, and is back within the ten minutes for which its seniority is remembered.
        drive.listen(.refusal, at: endpoint)
        drive.run(for: .seconds(300))
        #expect(drive.row(of: Samples.endpoint(9))?.bots.contains { $0.id.bot.text == "evil" } != isSameService)
        drive.listen(.gateway(gateway.restarted), at: endpoint)
        if isSameService { drive.apply(.changed(service, [.addresses])) }
        drive.run(for: .seconds(120))
        expectRowUnharmed(drive, since: drive.elapsed)
    }

    /// A forged TXT record of its service, which claims another fingerprint, only sets a flag, and the flag goes with
    /// the forgery.
    @Test func aForgedFingerprint() {
        var drive = watching()
        let time = drive.elapsed
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["fp=forged"]), [.txt]))
        drive.run(for: .seconds(60))
        expectRowUnharmed(drive, since: time)
        #expect(drive.row(of: endpoint)?.flags == [.contradicts])
        drive.apply(.changed(service, [.txt]))
        drive.run(for: .seconds(60))
        expectRowUnharmed(drive, since: time)
        #expect(drive.changeLines(since: time) == ["~ gateway Home contradicts", "~ gateway Home"])
    }

    /// A forged service that claims the gateway's fingerprint, but leads to an endpoint that refuses connections, only
    /// sets a flag on the row of the true gateway; the flag goes when the forged service is lost.
    @Test func aClaimantThatIsNotThere() {
        var drive = watching()
        let time = drive.elapsed
        let claimant = Samples.service("B", at: [Samples.address(9)], txt: txt, host: "evil.local")
        drive.apply(.found(claimant))
        drive.run(for: .seconds(60))
        expectRowUnharmed(drive, since: time)
        drive.apply(.lost(claimant, .withdrawn))
        drive.run(for: .seconds(60))
        expectRowUnharmed(drive, since: time)
        #expect(drive.map.gateways.count == 1)
        #expect(drive.map.gateways.first?.flags == [])
        let lines = drive.changeLines(since: time)
        #expect(lines.count { $0.hasPrefix("~ gateway Home") } == 2, "\(lines)")
    }

    /// A TXT record that changes fifty times a second does not make the scanner ask as often: the next question is
    /// brought forward at most once a second three times, and once in ten seconds after that. A flag changes at most
    /// once per answer.
    @Test func aTextRecordThatToggles() {
        var drive = watching()
        let forged = Samples.service("A", at: [Samples.address(1)], txt: ["fp=forged"])
        let time = drive.elapsed
        for _ in 0..<125 {
            drive.apply(.changed(forged, [.txt]))
            drive.run(for: .milliseconds(20))
            drive.apply(.changed(service, [.txt]))
            drive.run(for: .milliseconds(20))
        }
        #expect(drive.timesAsked(endpoint, since: time) <= 3 + 3, "\(drive.questions)")
        let answers = drive.timesAsked(endpoint, since: time)
        #expect(drive.changeLines(since: time).count <= answers, "\(drive.changeLines(since: time))")
        let later = drive.elapsed
        for _ in 0..<1_000 {
            drive.apply(.changed(forged, [.txt]))
            drive.run(for: .milliseconds(20))
            drive.apply(.changed(service, [.txt]))
            drive.run(for: .milliseconds(20))
        }
        // In these forty seconds there are the twenty regular questions, and a few that are brought forward.
        #expect(drive.timesAsked(endpoint, since: later) <= 20 + 5)
        expectRowUnharmed(drive, since: time)
        drive.run(for: .seconds(60))
        #expect(drive.row(of: endpoint)?.flags == [])
    }

    /// Other gateways are still checked on time while the records of one gateway change all the time.
    @Test func othersAreAskedOnTime() {
        var drive = watching()
        for number in 2...21 as ClosedRange<UInt32> {
            let other = SampleGateway("g\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(other))
        }
        drive.run(for: .seconds(10))
        let time = drive.elapsed
        for round in 0..<250 {
            let port = UInt16(4_000 + round % 7)
            drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], port: port, txt: txt), [.port]))
            drive.run(for: .milliseconds(20))
        }
        drive.run(for: .seconds(15))
        for number in 2...21 as ClosedRange<UInt32> {
            let asked = drive.questions.filter { $0.endpoint == Samples.endpoint(number) && $0.time >= time }.map(
                \.time
            )
            #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 < .seconds(3) }, "\(number): \(asked)")
        }
        expectRowUnharmed(drive, since: time)
        #expect(drive.map.gateways.count == 21)
    }

    /// A forged address record, which makes the service of one gateway lead to another gateway as well, does not merge
    /// their rows.
    @Test func anotherGatewayIsNotDrawnIn() {
        var drive = watching()
        let other = SampleGateway("g", name: "Other", bots: ["3"])
        drive.find(Samples.service("O", at: [Samples.address(2)], txt: ["fp=g"], host: "o.local"), .gateway(other))
        drive.run(for: .seconds(10))
        let time = drive.elapsed
        let forged = Samples.service("A", at: [Samples.address(1), Samples.address(2)], txt: txt)
        drive.apply(.changed(forged, [.addresses]))
        drive.run(for: .seconds(120))
        expectRowUnharmed(drive, since: time)
        #expect(drive.row(of: endpoint)?.paths.map(\.endpoint) == [endpoint])
        #expect(drive.row(of: Samples.endpoint(2))?.name == "Other")
        #expect(drive.map.gateways.count == 2)
    }
}
