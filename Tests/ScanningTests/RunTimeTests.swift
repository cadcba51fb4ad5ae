import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The settings and reports that a scanner takes in while it runs: sessions, pins, and gateways that the user enters;
/// and a scanner that asks nobody.
@Suite struct RunTimeTests {
    private let endpoint = Samples.endpoint(1)

    private func answering(leaf: UInt8? = nil) -> ScanDrive {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(leaf: leaf)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(7))
        return drive
    }

    private func noteSession(_ liveness: Liveness?, _ drive: inout ScanDrive) {
        drive.noteSession(liveness, at: endpoint)
        drive.step()
    }

    /// Intervals and limits outside of their ranges are corrected, both in the initializer and when they are set later;
    /// otherwise the scanner would ask without a pause, or never again.
    @Test func aConfigurationStaysWithinItsRanges() {
        var configuration = ScannerConfiguration(interval: .zero, heldConnections: -1, refresh: .zero)
        let taken = configuration
        #expect(taken.interval == .milliseconds(100) && taken.refresh == .milliseconds(100))
        #expect(taken.heldConnections == 0)
        configuration.interval = .seconds(90)
        #expect(configuration.refresh == .seconds(90))
        configuration.refresh = .seconds(1)
        configuration.heldConnections = -5
        #expect(configuration.refresh == .seconds(90) && configuration.heldConnections == 0)
        configuration.interval = .zero
        #expect(configuration.interval == .milliseconds(100))
        #expect(configuration.refresh == .seconds(1), "what was set holds again")
    }

    // MARK: Sessions

    /// An endpoint with a live session is asked nothing, and no connection to it is held: the session shows that it
    /// answers.
    @Test func nothingIsAskedWhileASessionLives() {
        var drive = answering()
        #expect(drive.checkOverKept(at: endpoint) != nil)
        noteSession(.answering, &drive)
        #expect(drive.released == [endpoint], "no connection is held beside a session")
        let time = drive.elapsed
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(300))
        #expect(drive.timesAsked(endpoint, since: time) == 0)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// An endpoint is probed at once when its session ends.
    @Test func itIsAskedAtOnceWhenTheSessionEnds() {
        var drive = answering()
        noteSession(.answering, &drive)
        drive.run(for: .seconds(60))
        let time = drive.elapsed
        drive.listenEverywhere(.refusal)
        noteSession(nil, &drive)
        drive.run(for: .milliseconds(100))
        #expect(drive.questions.last.map { $0.isProbe && $0.time >= time } == true)
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
    }

    /// A session that answers makes an endpoint answer that was gone according to the checks, and it still answers when
    /// the session has ended.
    @Test func aSessionBringsBackWhatWasGone() {
        var drive = answering()
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(12))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
        noteSession(.answering, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        drive.listenEverywhere(.gateway(SampleGateway()))
        noteSession(nil, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// An endpoint whose session began before its service was found is not asked until the session ends.
    @Test func whatHasASessionBeforeItIsFoundIsNotAsked() {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway()))
        noteSession(.answering, &drive)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(10))
        #expect(drive.questions.isEmpty)
        #expect(drive.state.isIdle && drive.state.progress.asked == 1)
        noteSession(nil, &drive)
        drive.run(for: .seconds(1))
        #expect(drive.gateways.count == 1)
    }

    /// After a loss that only the session has seen, the next answer to a check is reported, although the checks have
    /// missed nothing.
    @Test(arguments: [nil, Liveness.gone]) func anAnswerAfterALossIsTold(end: Liveness?) {
        var drive = answering()
        noteSession(.answering, &drive)
        noteSession(.suspect, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .suspect)
        noteSession(end, &drive)
        #expect(drive.row(of: endpoint)?.liveness == end ?? .suspect)
        drive.run(for: .seconds(3))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// The same, if the first report of a session is a loss.
    @Test func anAnswerAfterALossOutOfNothingIsTold() {
        var drive = answering()
        noteSession(.gone, &drive)
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// A link-local endpoint with a session does not keep the scanner waiting for its deferred probe.
    @Test func aLinkLocalAddressWithASessionIsNotWaitedFor() {
        let address = Samples.linkLocalAddress(1)
        let local = Endpoint(address: address, port: 3_000)
        var drive = ScanDrive()
        drive.noteSession(.answering, at: local)
        drive.apply(.found(Samples.service("A", at: [address])))
        drive.run(for: .seconds(5))
        #expect(drive.state.endpoints.count == 1)
        #expect(drive.questions.isEmpty)
        #expect(drive.state.deferred.isEmpty && drive.state.isIdle && drive.state.progress.asked == 1)
    }

    /// A session ends the state in which an endpoint waits to be asked.
    @Test func whatHasASessionDoesNotWait() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        for job in drive.probes { drive.end(job, Samples.silence(.noSocket, at: job.endpoint)) }
        #expect(drive.row(of: endpoint)?.paths.first?.waiting == .noSocket)
        noteSession(.answering, &drive)
        #expect(drive.row(of: endpoint)?.paths.first?.waiting == nil)
    }

    // MARK: Manual gateways

    /// A manual gateway that is added twice is probed once, and leaves nothing behind when it is removed.
    @Test func aManualGatewayIsAddedOnceAndRemoved() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        let gateway = ManualGateway(endpoints: [endpoint])
        drive.add(gateway)
        drive.add(gateway)
        #expect(drive.probes.map(\.endpoint) == [endpoint])
        drive.run(for: .seconds(1))
        #expect(drive.map.gateways.count == 1)
        drive.state.remove(gateway, now: drive.now)
        drive.step()
        #expect(drive.map.gateways.isEmpty)
        #expect(drive.state.endpoints.count == 0)
    }

    /// An endpoint of two entries of the user stays when one of them is removed.
    @Test func anAddressOfTwoEntriesStaysWithTheOther() {
        var drive = ScanDrive()
        let (one, both) = (
            ManualGateway(endpoints: [endpoint]), ManualGateway(endpoints: [endpoint, Samples.endpoint(2)])
        )
        drive.add(one)
        drive.add(both)
        drive.state.remove(both, now: drive.now)
        drive.step()
        #expect(drive.map.gateways.flatMap(\.paths).map(\.endpoint) == [endpoint])
        #expect(Array(drive.state.endpoints.keys) == [endpoint])
    }

    // MARK: Pins

    /// The probe of a pinned endpoint demands the pinned leaf certificate.
    @Test func aProbeOfWhatIsPinnedWantsItsLeaf() throws {
        var drive = ScanDrive()
        drive.state.pin(Samples.leaf(1), at: endpoint, now: drive.now)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        #expect(try #require(drive.probes.first).question.pin == Samples.leaf(1))
    }

    /// A pinned endpoint that shows another leaf is no longer shown as a gateway, and its outcome names the leaf that
    /// was found: another process may have the port.
    @Test func anotherLeafIsAState() throws {
        var drive = answering(leaf: 1)
        let row = try #require(drive.row(of: endpoint))
        #expect(row.classification == .gateway)
        drive.state.pin(Samples.leaf(1), at: endpoint, now: drive.now)
        drive.step()
        let job = try #require(drive.probes.first)
        drive.end(job, Samples.silence(.wrongLeaf(found: Samples.leaf(2)), at: endpoint))
        let now = try #require(drive.row(of: endpoint))
        #expect(now.outcome == .nothing(.wrongLeaf(found: Samples.leaf(2))))
        #expect(now.classification == .other)
    }

    // MARK: Asking nobody

    /// Without probes, services and entries are shown as undecided, nothing is asked, and nothing is scheduled.
    @Test func withoutProbesEverythingIsShownAndNothingAsked() {
        var drive = ScanDrive(ScannerConfiguration(probes: false))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)], txt: ["fp=a"])))
        drive.apply(.found(Samples.service("B", at: [Samples.address(2)])))
        drive.add(ManualGateway(endpoints: [Samples.endpoint(3)]))
        drive.run(for: .seconds(120))
        #expect(drive.questions.isEmpty && drive.hostsAsked.isEmpty && drive.state.next == nil)
        #expect(drive.map.gateways.map(\.classification) == [.undecided, .undecided, .undecided])
        #expect(drive.map.gateways.flatMap(\.discoveredServices).map(\.instance.name) == ["A", "B"])
        #expect(drive.state.isIdle && drive.state.progress.services == 2)
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        #expect(drive.map.gateways.count == 2)
    }
}
