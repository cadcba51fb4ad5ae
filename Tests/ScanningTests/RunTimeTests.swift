import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The changes that a scanner takes while it runs: sessions, pins, gateways that no DNS-SD shows; and nothing at all asked.
@Suite struct RunTimeTests {
    private let endpoint = Samples.endpoint(1)

    private func answering(leaf: UInt8? = nil) -> ScanDrive {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(leaf: leaf)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(7))
        return drive
    }

    private func hear(_ word: Liveness?, _ drive: inout ScanDrive) {
        drive.state.noteSession(word, at: endpoint, roundTrip: nil, now: drive.now)
        drive.step()
    }

    /// What would be asked without a pause, or never again, is not taken, however it is set.
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
    }

    // MARK: Sessions

    @Test func nothingIsAskedWhileASessionLives() {
        var drive = answering()
        #expect(drive.checkOverKept(at: endpoint) != nil)
        hear(.answering, &drive)
        #expect(drive.released == [endpoint], "no connection is kept beside a session")
        let time = drive.elapsed
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(300))
        #expect(drive.timesAsked(endpoint, since: time) == 0)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    @Test func itIsAskedAtOnceWhenTheSessionEnds() {
        var drive = answering()
        hear(.answering, &drive)
        drive.run(for: .seconds(60))
        let time = drive.elapsed
        drive.listenEverywhere(.refusal)
        hear(nil, &drive)
        drive.run(for: .milliseconds(100))
        #expect(drive.questions.last.map { $0.isProbe && $0.time >= time } == true)
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
    }

    /// The checks had given it up: the session's answer is theirs too, so that the row does not go when the session ends.
    @Test func aSessionBringsBackWhatWasGone() {
        var drive = answering()
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(12))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
        hear(.answering, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        drive.listenEverywhere(.gateway(SampleGateway()))
        hear(nil, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    @Test func whatHasASessionBeforeItIsFoundIsNotAsked() {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway()))
        hear(.answering, &drive)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(10))
        #expect(drive.questions.isEmpty)
        #expect(drive.state.isIdle && drive.state.progress.asked == 1)
        hear(nil, &drive)
        drive.run(for: .seconds(1))
        #expect(drive.gateways.count == 1)
    }

    /// The loss was the session's alone: the checks have missed nothing, and their next answer is news all the same.
    @Test(arguments: [nil, Liveness.gone]) func anAnswerAfterALossIsTold(end: Liveness?) {
        var drive = answering()
        hear(.answering, &drive)
        hear(.suspect, &drive)
        #expect(drive.row(of: endpoint)?.liveness == .suspect)
        hear(end, &drive)
        #expect(drive.row(of: endpoint)?.liveness == end ?? .suspect)
        drive.run(for: .seconds(3))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// The first that a session says is that it is lost.
    @Test func anAnswerAfterALossOutOfNothingIsTold() {
        var drive = answering()
        hear(.gone, &drive)
        drive.run(for: .seconds(10))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    @Test func aLinkLocalAddressWithASessionIsNotWaitedFor() {
        let address = Samples.linkLocalAddress(1)
        let local = Endpoint(address: address, port: 3_000)
        var drive = ScanDrive()
        drive.state.noteSession(.answering, at: local, roundTrip: nil, now: drive.now)
        drive.apply(.found(Samples.service("A", at: [address])))
        drive.run(for: .seconds(5))
        #expect(drive.state.endpoints.count == 1)
        #expect(drive.questions.isEmpty)
        #expect(drive.state.deferred.isEmpty && drive.state.isIdle && drive.state.progress.asked == 1)
    }

    /// The wait it was in does not matter any more.
    @Test func whatHasASessionDoesNotWait() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        for job in drive.probes { drive.end(job, Samples.silence(.noSocket, at: job.endpoint)) }
        #expect(drive.row(of: endpoint)?.paths.first?.waiting == .noSocket)
        hear(.answering, &drive)
        #expect(drive.row(of: endpoint)?.paths.first?.waiting == nil)
    }

    // MARK: Between runs

    private func idle(_ gateways: [ManualGateway] = []) -> (scanner: Scanner, backend: FakeBackend) {
        let backend = FakeBackend()
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        return (Scanner(ScannerConfiguration(manualGateways: gateways, probes: false), browser: browser), backend)
    }

    private func liveness(_ scanner: Scanner) async -> Liveness? {
        await scanner.constellation.gateways.first?.paths.first?.liveness
    }

    /// It is over when the scanner is told so, whether that runs then, is about to end, or does not run any more.
    @Test(.timeLimit(.minutes(1)), arguments: [0, 1, 2])
    func theEndOfASessionIsToldWhetherItRunsOrNot(moment: Int) async {
        let (scanner, backend) = idle([ManualGateway(endpoints: [endpoint])])
        await scanner.constellation.apply(.endpointAdded(endpoint, .local))
        await scanner.noteSession(.answering, at: endpoint)
        #expect(await liveness(scanner) == .answering)
        let run = Task { await scanner.run() }
        await backend.started()
        if moment == 0 { await scanner.noteSession(nil, at: endpoint) }
        run.cancel()
        if moment == 1 { await scanner.noteSession(nil, at: endpoint) }
        await run.value
        if moment == 2 { await scanner.noteSession(nil, at: endpoint) }
        #expect(await liveness(scanner) == nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func whatIsRemovedBetweenRunsLeavesTheMap(isStillRunning: Bool) async {
        let gateway = ManualGateway(endpoints: [endpoint])
        let (scanner, backend) = idle([gateway])
        let run = Task { await scanner.run() }
        await backend.started()
        for await _ in scanner.constellation.updates where await !scanner.constellation.gateways.isEmpty { break }
        run.cancel()
        if isStillRunning { await scanner.remove(gateway) }
        await run.value
        if !isStillRunning { await scanner.remove(gateway) }
        #expect(await scanner.constellation.gateways.isEmpty)
    }

    // MARK: Manual gateways

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

    @Test func aProbeOfWhatIsPinnedWantsItsLeaf() throws {
        var drive = ScanDrive()
        drive.state.pin(Samples.leaf(1), at: endpoint, now: drive.now)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        #expect(try #require(drive.probes.first).question.pin == Samples.leaf(1))
    }

    /// The proof that was made there has ended: somebody else has the port.
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
