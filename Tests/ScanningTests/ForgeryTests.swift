import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Forged records about a gateway that answers: records add candidates, answers decide.
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

    /// The row of the true gateway is as it was.
    private func expectTrue(_ drive: ScanDrive, since time: Duration, sourceLocation: SourceLocation = #_sourceLocation)
    {
        let row = drive.row(of: endpoint)
        #expect(row?.id == .fingerprint(Samples.fingerprint("f")), sourceLocation: sourceLocation)
        #expect(row?.paths.first?.endpoint == endpoint, sourceLocation: sourceLocation)
        #expect(row?.liveness == .answering, sourceLocation: sourceLocation)
        #expect(row?.bots.map(\.id.bot.text) == ["1", "2"], sourceLocation: sourceLocation)
        #expect(row?.name == "Home", sourceLocation: sourceLocation)
        let news = drive.news(since: time)
        let isOver = news.contains {
            $0.hasPrefix("- gateway Home") || $0.contains("Home suspect") || $0.contains("Home gone")
        }
        #expect(!isOver, "\(news)", sourceLocation: sourceLocation)
    }

    /// Fifty packets of another port in a second, and no true one afterwards, as our own engine sees it.
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
        expectTrue(drive, since: time)
        #expect(drive.map.gateways.count == 1)
        drive.apply(.changed(service, [.port]))
        drive.run(for: .seconds(10))
        expectTrue(drive, since: time)
        #expect(drive.row(of: endpoint)?.paths.count == 1)
    }

    @Test func aForgedGoodbyeOfItsAddress() {
        var drive = watching()
        let time = drive.elapsed
        drive.apply(.changed(Samples.service("A", at: [], txt: txt), [.addresses]))
        drive.run(for: .seconds(300))
        expectTrue(drive, since: time)
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(300))
        expectTrue(drive, since: time)
        drive.apply(.found(service))
        drive.run(for: .seconds(300))
        expectTrue(drive, since: time)
        #expect(drive.map.gateways.count == 1)
    }

    /// A process that repeats fingerprint and name, to which a forged record leads: also while the true one starts anew.
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
        expectTrue(drive, since: time)
        let flags = drive.row(of: endpoint)?.flags ?? []
        #expect(flags == [isSameService ? .contradicts : .sameFingerprint])
        // The true one ends, and is back within ten minutes.
        drive.listen(.refusal, at: endpoint)
        drive.run(for: .seconds(300))
        #expect(drive.row(of: Samples.endpoint(9))?.bots.contains { $0.id.bot.text == "evil" } != isSameService)
        drive.listen(.gateway(gateway.restarted), at: endpoint)
        if isSameService { drive.apply(.changed(service, [.addresses])) }
        drive.run(for: .seconds(120))
        expectTrue(drive, since: drive.elapsed)
    }

    /// A forger that leads a second service to the gateway's address and claims another fingerprint changes nothing but
    /// a flag.
    @Test func aForgedFingerprint() {
        var drive = watching()
        let time = drive.elapsed
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["fp=forged"]), [.txt]))
        drive.run(for: .seconds(60))
        expectTrue(drive, since: time)
        #expect(drive.row(of: endpoint)?.flags == [.contradicts])
        drive.apply(.changed(service, [.txt]))
        drive.run(for: .seconds(60))
        expectTrue(drive, since: time)
        #expect(drive.news(since: time) == ["~ gateway Home contradicts", "~ gateway Home"])
    }

    /// The fingerprint that it answers with changes nothing about the row of another gateway, whose record claims it.
    @Test func aClaimantThatIsNotThere() {
        var drive = watching()
        let time = drive.elapsed
        let claimant = Samples.service("B", at: [Samples.address(9)], txt: txt, host: "evil.local")
        drive.apply(.found(claimant))
        drive.run(for: .seconds(60))
        expectTrue(drive, since: time)
        drive.apply(.lost(claimant, .withdrawn))
        drive.run(for: .seconds(60))
        expectTrue(drive, since: time)
        #expect(drive.map.gateways.count == 1)
        #expect(drive.map.gateways.first?.flags == [])
        let news = drive.news(since: time)
        #expect(news.count { $0.hasPrefix("~ gateway Home") } == 2, "\(news)")
    }

    /// Fifty changes a second for five seconds: the next question is brought forward three times at most, and then once in
    /// ten seconds; a flag comes and goes at most once an answer.
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
        #expect(drive.news(since: time).count <= answers, "\(drive.news(since: time))")
        let later = drive.elapsed
        for _ in 0..<1_000 {
            drive.apply(.changed(forged, [.txt]))
            drive.run(for: .milliseconds(20))
            drive.apply(.changed(service, [.txt]))
            drive.run(for: .milliseconds(20))
        }
        // Forty seconds: the regular ones, and four.
        #expect(drive.timesAsked(endpoint, since: later) <= 20 + 5)
        expectTrue(drive, since: time)
        drive.run(for: .seconds(60))
        #expect(drive.row(of: endpoint)?.flags == [])
    }

    /// The checks of others stay on time, whatever is forged about one.
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
        expectTrue(drive, since: time)
        #expect(drive.map.gateways.count == 21)
    }

    /// Another gateway of the LAN is not drawn into the row by a forged address.
    @Test func anotherGatewayIsNotDrawnIn() {
        var drive = watching()
        let other = SampleGateway("g", name: "Other", bots: ["3"])
        drive.find(Samples.service("O", at: [Samples.address(2)], txt: ["fp=g"], host: "o.local"), .gateway(other))
        drive.run(for: .seconds(10))
        let time = drive.elapsed
        let forged = Samples.service("A", at: [Samples.address(1), Samples.address(2)], txt: txt)
        drive.apply(.changed(forged, [.addresses]))
        drive.run(for: .seconds(120))
        expectTrue(drive, since: time)
        #expect(drive.row(of: endpoint)?.paths.map(\.endpoint) == [endpoint])
        #expect(drive.row(of: Samples.endpoint(2))?.name == "Other")
        #expect(drive.map.gateways.count == 2)
    }
}
