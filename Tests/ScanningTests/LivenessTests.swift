import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The times at which an endpoint counts as suspect and as gone (see the guide *Keeping the picture true*).
@Suite struct LivenessTests {
    private let endpoint = Samples.endpoint(1)

    private func answering(
        _ dialect: GatewayDialect = .optaplus,
        _ configuration: ScannerConfiguration = ScannerConfiguration()
    ) -> ScanDrive {
        var drive = ScanDrive(configuration)
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(7))
        return drive
    }

    /// A gateway that stops at any time between two checks is suspect within five seconds and gone within ten. Once it
    /// is back, it answers within five seconds, or within seven if each question in between waited a second for its
    /// silence.
    @Test(
        arguments: [0, 700, 1_300, 1_999],
        [
            (GatewayDialect.optaplus, Listener.silence), (.bridge, .silence), (.openClaw, .silence),
            (.optaplus, .refusal),
            (.bridge, .refusal), (.openClaw, .refusal),
        ]
    )
    func aStoppedGatewayIsSuspectThenGoneThenBack(offset: Int, what: (dialect: GatewayDialect, afterwards: Listener)) {
        let dialect = what.dialect
        var drive = answering(dialect)
        drive.run(for: .milliseconds(offset))
        #expect(drive.liveness(endpoint) == .answering)
        drive.listenEverywhere(what.afterwards)
        drive.run(for: .milliseconds(4_900))
        #expect(drive.emitted.contains(.liveness(endpoint, .suspect)))
        drive.run(for: .milliseconds(5_000))
        #expect(drive.liveness(endpoint) == .gone)
        drive.run(for: .seconds(9))
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.run(for: what.afterwards == .silence ? .milliseconds(6_900) : .milliseconds(4_900))
        #expect(drive.liveness(endpoint) == .answering)
    }

    /// A gateway that stops behind a front is gone as soon as any other, whatever the front answers in its place; its row
    /// stays, and says so, until the gateway is back.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw], [404, 502, 503])
    func aGatewayBehindAFrontIsGoneWhileTheFrontAnswers(dialect: GatewayDialect, status: Int) {
        var drive = answering(dialect)
        drive.listenEverywhere(.front(status: status))
        drive.run(for: .milliseconds(9_900))
        #expect(drive.liveness(endpoint) == .gone)
        #expect(drive.row(of: endpoint)?.paths.first?.frontStatus == status)
        let reports = drive.emitted.filter { $0 == .probed(endpoint, .nothing(.noGateway(status: status))) }
        #expect(reports.count == 1)
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(9))
        #expect(drive.row(of: endpoint)?.paths.first?.frontStatus == nil)
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.run(for: .seconds(20))
        #expect(drive.liveness(endpoint) == .answering)
    }

    /// A session that comes back first tells the map that the gateway answers. When the gateway stops again in the same
    /// way, that is news again: only then may a pinned gateway be followed to another port.
    @Test(arguments: [Listener.refusal, .front(status: 502)])
    func aSecondOutageIsReportedLikeTheFirst(afterwards: Listener) {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(dialect: .openClaw, leaf: 1)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(5))
        for _ in 0..<2 {
            drive.noteSession(.answering, at: endpoint)
            drive.run(for: .seconds(5))
            #expect(drive.row(of: endpoint)?.paths.first?.silence == nil)
            drive.listenEverywhere(afterwards)
            drive.noteSession(nil, at: endpoint)
            drive.run(for: .seconds(5))
            #expect(drive.row(of: endpoint)?.paths.first?.silence != nil)
        }
    }

    /// While nobody watches, a gateway that answers is asked once a minute; one that has stopped is found out as soon as
    /// always once it was asked; and as soon as somebody watches, all are asked every two seconds.
    @Test func gatewaysAreAskedSeldomWhileNobodyWatches() {
        var drive = ScanDrive(ScannerConfiguration(isWatched: false))
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(10))
        var asked = drive.questions.count
        drive.run(for: .seconds(600))
        #expect((9...11).contains(drive.questions.count - asked), "\(drive.questions.count - asked)")
        drive.state.setWatched(true, now: drive.now)
        asked = drive.questions.count
        drive.run(for: .seconds(20))
        #expect((9...11).contains(drive.questions.count - asked), "\(drive.questions.count - asked)")
        drive.state.setWatched(false, now: drive.now)
        drive.run(for: .seconds(5))
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(70))
        #expect(drive.liveness(endpoint) == .gone)
    }

    /// Two typed URLs of one host and port are two entries, each asked at its path.
    @Test func eachPathOfAHostIsAnEntryOfItsOwn() {
        let places = ["/attic/", "/bath/"].map {
            Endpoint(address: endpoint.address, port: 443, resource: $0)
        }
        var drive = ScanDrive(ScannerConfiguration())
        for (place, fingerprint) in zip(places, ["attic", "bath"]) {
            drive.listen(.gateway(SampleGateway(fingerprint, leaf: 1)), at: place)
            drive.add(ManualGateway(endpoints: [place]))
        }
        drive.run(for: .seconds(1))
        #expect(drive.map.gateways.map { $0.paths.map(\.endpoint) } == places.map { [$0] })
        #expect(drive.map.gateways.allSatisfy { $0.flags.isEmpty && $0.liveness == .answering })
        drive.listen(.front(status: 502), at: places[0])
        drive.run(for: .seconds(10))
        #expect(places.map { drive.liveness($0) } == [.gone, .answering])
    }

    /// The time between two questions to an endpoint that is gone is the back-off of the tracker, which grows by a
    /// quarter each time, and nothing is added to it.
    @Test func whatIsGoneIsAskedAfterEachWait() {
        var drive = answering()
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(7))
        #expect(drive.liveness(endpoint) == .gone)
        drive.run(for: .seconds(60))
        let times = drive.questions.suffix(5).map(\.time)
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        for (wait, next) in zip(waits, waits.dropFirst()) {
            #expect(abs(next / wait - 1.25) < 0.01, "\(waits)")
        }
    }

    /// A single missed answer does not change the liveness.
    @Test func aMissedAnswerAloneIsNothing() {
        var drive = answering()
        let before = drive.emitted.count
        drive.listenEverywhere(.silence)
        drive.run(for: .milliseconds(1_500))
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.run(for: .seconds(10))
        #expect(
            drive.emitted.dropFirst(before).allSatisfy {
                if case .liveness(_, let state, _) = $0 { state == .answering } else { true }
            }
        )
    }

    /// A late answer over the held connection counts: a process that was stopped for a while sends one when it goes on.
    @Test func aLateAnswerCounts() throws {
        var drive = answering()
        drive.run(for: .milliseconds(1_500))
        let check = try #require(drive.checkOverKept(at: endpoint))
        drive.listenEverywhere(.silence)
        drive.run(for: .milliseconds(5_200))
        #expect(drive.liveness(endpoint) == .suspect)
        drive.state.answered(check, .seconds(3), nil, now: drive.now)
        drive.step()
        #expect(drive.liveness(endpoint) == .answering)
    }

    /// A goodbye only brings the next question forward: the gateway stays in the map while it answers, and goes when it
    /// does not.
    @Test func aGoodbyeOnlyMakesItAsk() {
        var drive = answering(.bridge)
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        #expect(drive.checks.count == 1)
        drive.run(for: .seconds(60))
        #expect(drive.liveness(endpoint) == .answering)
        #expect(drive.map.gateways.count == 1)
        // No candidate leads to it any more, so it is checked once a minute only.
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(70))
        #expect(drive.liveness(endpoint) == .gone)
        #expect(drive.map.gateways.isEmpty)
        #expect(drive.state.endpoints.count == 0)
        drive.run(for: .seconds(600))
        #expect(drive.state.next == nil)
    }

    /// A gateway that is silent at one address and answers at another one keeps answering, without any change that a
    /// person would see.
    @Test func anotherAddressThatAnswersKeepsItAlive() {
        var drive = ScanDrive()
        drive.find(
            Samples.service("A", at: [Samples.address(1), Samples.address(2)]),
            .gateway(SampleGateway(dialect: .bridge))
        )
        drive.run(for: .seconds(10))
        drive.listen(.silence, at: endpoint)
        let time = drive.elapsed
        drive.run(for: .seconds(20))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
        #expect(drive.changeLines(since: time) == [])
    }

    /// A gateway with two addresses that answers at one of them at a time: when it falls silent at one, the other one
    /// is asked at once, however long its back-off is.
    @Test(arguments: [false, true])
    func anAddressThatWasGoneIsAskedWhenTheOtherOneIsSilent(hasSession: Bool) {
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1), Samples.address(2)]), .gateway(SampleGateway()))
        drive.run(for: .seconds(10))
        drive.listen(.silence, at: Samples.endpoint(2))
        drive.run(for: .seconds(600))
        #expect(drive.liveness(Samples.endpoint(2)) == .gone)
        if hasSession { drive.noteSession(.answering, at: endpoint) }
        drive.run(for: .seconds(120))
        drive.listen(.silence, at: endpoint)
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        // The session reports this half a second after it has asked for a sign of life.
        if hasSession { drive.noteSession(.suspect, at: endpoint) }
        drive.run(for: hasSession ? .milliseconds(300) : .seconds(4))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    /// A host was unplugged: its session becomes suspect, and ends four seconds later, as while somebody watches. The scanner
    /// asks once more, and then it is gone, without having answered or been gone in between.
    @Test func whatItsSessionMissedIsGoneSoonAfter() {
        var drive = driveWithSuspectSession(over: .silence)
        let time = drive.elapsed
        drive.run(for: .seconds(4))
        drive.noteSession(nil, at: endpoint)
        #expect(drive.map.gateways.map(\.liveness) == [.suspect])
        drive.run(for: .milliseconds(1_500))
        #expect(drive.liveness(endpoint) == .gone)
        let told = drive.emitted.filter { if case .liveness(endpoint, _, _) = $0 { true } else { false } }
        #expect(told.last == .liveness(endpoint, .gone) && drive.elapsed - time < .seconds(6))
    }

    /// A host that was only late, with its session suspect for however long, is not shown gone.
    @Test func aHostThatWasLateIsNotGone() {
        var random = SeededGenerator(seed: 44)
        for _ in 0..<50 {
            var drive = driveWithSuspectSession(over: .gateway(SampleGateway()))
            let time = drive.elapsed
            drive.run(for: .milliseconds(Int.random(in: 0...8_000, using: &random)))
            drive.noteSession(Bool.random(using: &random) ? nil : .answering, at: endpoint)
            drive.run(for: .seconds(3))
            #expect(drive.liveness(endpoint) == .answering)
            let isGone = drive.changeLines(since: time).contains { $0.contains("gone") }
            #expect(!isGone)
        }
    }

    /// Returns a drive in which the session with a gateway that had answered has just become suspect.
    private func driveWithSuspectSession(over listener: Listener) -> ScanDrive {
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1)]), .gateway(SampleGateway()))
        drive.run(for: .seconds(5))
        drive.noteSession(.answering, at: endpoint)
        drive.run(for: .seconds(60))
        drive.listen(listener, at: endpoint)
        drive.noteSession(.suspect, at: endpoint)
        return drive
    }

    /// An endpoint that has had a session from the start is never asked, but its row knows the other endpoints: when
    /// the session becomes suspect, those are asked.
    @Test func aSessionThatWasThereFirstHasSiblings() {
        var drive = ScanDrive()
        let service = Samples.service("A", at: [Samples.address(1), Samples.address(2)])
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        drive.apply(.found(service))
        drive.noteSession(.answering, at: endpoint)
        drive.run(for: .seconds(10))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
        drive.listen(.silence, at: Samples.endpoint(2))
        drive.run(for: .seconds(720))
        #expect(drive.liveness(Samples.endpoint(2)) == .gone)
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        drive.noteSession(.suspect, at: endpoint)
        drive.run(for: .milliseconds(300))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    /// Returns a drive in which an endpoint has a session and was never asked; the owner of the session has reported
    /// its identity to the map.
    private func driveWithSession(_ service: DiscoveredService) -> ScanDrive {
        var drive = ScanDrive()
        drive.apply(.found(service))
        drive.state.emit(.probed(endpoint, .gateway(GatewayIdentity(name: "A", dialect: .optaplus))))
        drive.noteSession(.answering, at: endpoint)
        drive.run(for: .seconds(5))
        return drive
    }

    /// An endpoint that answered only according to its session does not answer any more once that has ended and a probe
    /// was refused.
    @Test func endpointKnownFromASessionAnswersNoLongerThanIt() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        #expect(drive.liveness(endpoint) == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.noteSession(nil, at: endpoint)
        drive.run(for: .seconds(1))
        #expect(drive.liveness(endpoint) != .answering, "the probe was refused")
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// The service is lost during the session, so that nothing asks the endpoint any more: the end of the session must
    /// remove the row, since nothing else will.
    @Test func aSessionThatOutlivesItsServiceLeavesNothing() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(1))
        #expect(drive.liveness(endpoint) == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.noteSession(nil, at: endpoint)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// The owner of a session also reports to the map directly. Even if the map knows the end of the session before the
    /// scanner does, the row goes.
    @Test func aSessionThatTheMapKnowsToHaveEndedFirstLeavesNothing() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        drive.listen(.refusal, at: endpoint)
        drive.state.emit(.sessionLiveness(endpoint, nil))
        drive.apply(.lost(service, .withdrawn))
        drive.noteSession(nil, at: endpoint)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// A session with a paired gateway begins at its last known endpoint, before its service is found there. The row
    /// that the service joins does not answer longer than the session.
    @Test func aServiceThatIsFoundDuringASessionAnswersNoLongerThanThat() {
        var drive = ScanDrive()
        drive.state.emit(.probed(endpoint, .gateway(GatewayIdentity(name: "A", dialect: .optaplus))))
        drive.noteSession(.answering, at: endpoint)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(5))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.noteSession(nil, at: endpoint)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
    }

    /// Forty gateways are each checked every two seconds, which uses all of the twenty questions per second.
    @Test func fortyGatewaysAreEachAskedEveryTwoSecondsAndTwentyASecondInAll() {
        var drive = ScanDrive()
        for number in 1...40 as ClosedRange<UInt32> {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(gateway))
        }
        drive.run(for: .seconds(4))
        let time = drive.elapsed
        drive.run(for: .seconds(20))
        let asked = (1...40).map { drive.timesAsked(Samples.endpoint($0), since: time) }
        #expect(asked.allSatisfy { $0 >= 9 && $0 <= 11 }, "\(asked.sorted())")
        #expect(asked.reduce(0, +) <= 20 * 20 + 20)
    }

    /// A thousand endpoints that never answer are each asked again, but at no more than about twenty questions per
    /// second in all, so that a forger cannot keep this host busy.
    @Test func aThousandThatNeverAnswerAreAskedAgainTwentyTimesASecondInAll() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        for number in 1...1_000 {
            drive.apply(.found(Samples.service("Forged \(number)", at: [Samples.address(UInt32(number))])))
        }
        drive.run(for: .milliseconds(500))
        let first = Set(drive.questions.map(\.endpoint))
        #expect(first.count == 1_000 && drive.questions.count == 1_000)
        drive.run(for: .milliseconds(99_500))
        let again = drive.questions.count - 1_000
        #expect(again > 1_200 && again < 2_400, "\(again) in 100 s")
        let bySecond = Dictionary(grouping: drive.questions.dropFirst(1_000)) { $0.time.components.seconds }
        let most = bySecond.values.map(\.count).max() ?? 0
        #expect(most < 60, "\(most) in one second")
        #expect(Set(drive.questions.dropFirst(1_000).map(\.endpoint)).count == 1_000, "each is asked again")
    }

    /// A thousand forged services that are lost again do not delay the next question to a remaining endpoint: its turn
    /// is computed anew, and comes within a minute.
    @Test func whoStaysWhenAThousandLeaveIsAskedWithinAMinute() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        let forged = (2...1_000 as ClosedRange<UInt32>).map { Samples.service("F\($0)", at: [Samples.address($0)]) }
        for service in forged { drive.apply(.found(service)) }
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(5))
        for service in forged { drive.apply(.lost(service, .withdrawn)) }
        drive.listen(.gateway(SampleGateway()), at: endpoint)
        drive.run(for: .seconds(61))
        #expect(drive.liveness(endpoint) == .answering)
    }

    /// An endpoint that has just been a gateway is asked again at once, although a thousand endpoints that never
    /// answered are waiting for their turn.
    @Test func whatWasAGatewayDoesNotWaitItsTurnAmongStrangers() {
        var drive = answering(.bridge)
        drive.listenEverywhere(.refusal)
        drive.listen(.gateway(SampleGateway(dialect: .bridge)), at: endpoint)
        for number in 2...1_000 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("F\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .seconds(1))
        // A proxy answers in its place while it restarts.
        drive.listen(.webServer, at: endpoint)
        for _ in 0..<30 where drive.row(of: endpoint)?.dialect != nil { drive.run(for: .milliseconds(100)) }
        #expect(drive.row(of: endpoint)?.dialect == nil)
        drive.listen(.gateway(SampleGateway(dialect: .bridge).restarted), at: endpoint)
        drive.run(for: .seconds(2))
        #expect(drive.row(of: endpoint)?.dialect == .bridge)
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    @Test func withoutWatchingNothingIsAskedTwice() {
        var drive = answering(.bridge, ScannerConfiguration(watches: false))
        #expect(drive.state.next == nil)
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(60))
        #expect(drive.checks.isEmpty)
        #expect(drive.questions.count == 1)
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
    }

    /// Connections are held to as many gateways as `heldConnections` allows. One gateway more must not make all the others
    /// cost a connection for each check; and the place of one that goes away is another's.
    @Test(arguments: [3, 4], [true, false])
    func connectionsAreKeptForAFewGatewaysOnly(gateways: Int, isRefused: Bool) {
        var drive = ScanDrive(ScannerConfiguration(heldConnections: 3))
        for number in 1...UInt32(gateways) {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(gateway))
        }
        drive.run(for: .seconds(30))
        #expect(drive.network.heldCount == 3 && drive.state.endpoints.tally.held == 3)
        let held = (1...UInt32(gateways)).map { Samples.endpoint($0) }.filter { drive.network.keptCheck(at: $0) != nil }
        let first = held[0]
        drive.listen(isRefused ? .refusal : .silence, at: first)
        drive.run(for: .seconds(30))
        let left = gateways == 3 ? 2 : 3
        #expect(drive.network.heldCount == left && drive.state.endpoints.tally.held == left)
        #expect(drive.network.keptCheck(at: first) == nil)
    }

    /// Drives gateways that each have two addresses, until all have answered.
    private func gatewaysOfTwoPaths(_ count: UInt32, isWatched: Bool) -> ScanDrive {
        var drive = ScanDrive(ScannerConfiguration(isWatched: isWatched))
        for number in 1...count {
            let addresses = [Samples.address(number), Samples.address(number + 1_000)]
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: addresses), .gateway(gateway))
        }
        drive.run(for: .seconds(20))
        return drive
    }

    private func timesAsked(_ drive: ScanDrive, _ number: UInt32, since time: Duration) -> [Int] {
        [number, number + 1_000].map { drive.timesAsked(Samples.endpoint($0), since: time) }.sorted()
    }

    /// While somebody watches, the loss of another path is known within seconds, without connections made anew for that.
    @Test func theOtherPathsOfARowAreAskedEveryFewSeconds() throws {
        var drive = gatewaysOfTwoPaths(1, isWatched: true)
        #expect(drive.map.gateways.count == 1 && drive.network.heldCount == 2)
        let time = drive.elapsed
        drive.run(for: .seconds(120))
        let counts = timesAsked(drive, 1, since: time)
        #expect((33...42).contains(counts[0]) && counts[1] >= 55, "\(counts)")
        let paths = [1, 1_001].map { Samples.endpoint($0) }
        let other = try #require(paths.first { drive.state.endpoints[$0]?.leads == false })
        drive.listen(.silence, at: other)
        drive.run(for: .seconds(9))
        #expect(drive.liveness(other) == .gone)
        #expect(drive.map.gateways.first?.liveness == .answering)
    }

    /// While nobody watches, they are asked once a minute, and have no held connection; neither have they when nobody
    /// watches any more.
    @Test(arguments: [false, true])
    func theOtherPathsOfARowAreAskedOnceAMinute(wasWatched: Bool) {
        var drive = gatewaysOfTwoPaths(1, isWatched: wasWatched)
        drive.state.setWatched(false, now: drive.now)
        drive.run(for: .seconds(60))
        #expect(drive.network.heldCount <= 1)
        let time = drive.elapsed
        drive.run(for: .seconds(180))
        let counts = timesAsked(drive, 1, since: time)
        #expect(counts.allSatisfy { (2...4).contains($0) }, "\(counts)")
    }

    /// The first paths of forty gateways need all checks of a second: their other paths wait, and take no connection from
    /// them.
    @Test func theOtherPathsOfManyRowsTakeNothingFromTheFirst() {
        var drive = gatewaysOfTwoPaths(40, isWatched: true)
        let time = drive.elapsed
        drive.run(for: .seconds(120))
        for number in 1...40 as ClosedRange<UInt32> {
            let counts = timesAsked(drive, number, since: time)
            #expect(counts[0] <= 3 && counts[1] >= 50, "\(number): \(counts)")
        }
    }

    /// Other paths give their connections back where the first ones need all of them.
    @Test func heldConnectionsAreForTheFirstPaths() {
        var drive = ScanDrive(ScannerConfiguration(heldConnections: 6))
        for number in 1...2 as ClosedRange<UInt32> {
            let addresses = (0..<3).map { Samples.address(number + $0 * 1_000) }
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: addresses), .gateway(gateway))
        }
        drive.run(for: .seconds(20))
        #expect(drive.network.heldCount == 6)
        for number in 3...6 as ClosedRange<UInt32> {
            drive.find(
                Samples.service("S\(number)", at: [Samples.address(number)]),
                .gateway(SampleGateway("f\(number)", name: "G\(number)"))
            )
        }
        drive.run(for: .seconds(70))
        #expect(drive.network.heldCount == 6)
        let held = drive.state.endpoints.values.filter(\.holding.isHeld)
        let isForFirst = held.map(\.leads)
        #expect(!isForFirst.contains(false), "\(held.map(\.endpoint))")
    }

    /// Between those, they share what is left.
    @Test func theOtherPathsOfTwentyRowsShareWhatIsLeft() {
        var drive = gatewaysOfTwoPaths(20, isWatched: true)
        let time = drive.elapsed
        drive.run(for: .seconds(120))
        for number in 1...20 as ClosedRange<UInt32> {
            let counts = timesAsked(drive, number, since: time)
            #expect(counts[0] >= 33 && counts[1] >= 50, "\(number): \(counts)")
        }
        #expect(drive.network.heldCount == 40)
    }

    /// Checks and probes have a limit of 32 sockets each, so that checks of known gateways leave sockets for endpoints
    /// that are asked for the first time.
    @Test func checksAndProbesTogetherHaveThirtyTwoSocketsEach() {
        var drive = ScanDrive()
        for number in 1...200 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
            while let job = drive.probes.first { drive.end(job, Samples.report(job.endpoint)) }
        }
        for number in 201...300 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        #expect(drive.probes.count == ProbeBudget.strangersAtOnce)
        for _ in 0..<200 where drive.advance() {
            #expect(drive.probes.count <= ProbeBudget.atOnce)
            #expect(drive.checks.count <= 32)
        }
        #expect(drive.probes.count(where: { $0.standing == .stranger }) == ProbeBudget.strangersAtOnce)
        drive.end(drive.probes[0], Samples.silence())
        #expect(drive.probes.count <= ProbeBudget.atOnce)
    }

    /// Twenty of forty gateways stop at once. Twenty questions a second are just enough for forty gateways, and the
    /// times for suspect and gone still hold.
    @Test func twentyOfFortyThatStopAtOnceAreSeenInTime() {
        var drive = ScanDrive()
        for number in 1...40 as ClosedRange<UInt32> {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(gateway))
        }
        drive.run(for: .seconds(6))
        drive.listen(.silence, at: (1...20).map { Samples.endpoint($0) })
        drive.run(for: .seconds(5))
        let suspect = (1...20).count { drive.emitted.contains(.liveness(Samples.endpoint($0), .suspect)) }
        #expect(suspect == 20)
        drive.run(for: .seconds(5))
        let gone = (1...20).count { drive.liveness(Samples.endpoint($0)) == .gone }
        #expect(gone == 20)
        #expect((21...40).allSatisfy { drive.liveness(Samples.endpoint($0)) == .answering })
    }

    // MARK: Floods

    /// Ends the held connection of an endpoint as flooded: more was received over it than had been asked for.
    private func flood(_ drive: inout ScanDrive) throws {
        let check = try #require(drive.checkOverKept(at: endpoint))
        drive.network.release(endpoint)
        drive.state.heldConnectionEnded(check, .flooded, now: drive.now)
        drive.step()
    }

    /// An endpoint that floods is suspect for a minute, although it answers checks over short connections; after a
    /// minute without another flood its answers count again.
    @Test func whatFloodsIsSuspectForAMinute() throws {
        var drive = answering()
        try flood(&drive)
        #expect(drive.row(of: endpoint)?.liveness == .suspect && drive.row(of: endpoint)?.isFlooding == true)
        #expect(drive.checkOverKept(at: endpoint) == nil)
        let start = drive.elapsed
        for _ in 0..<59 {
            drive.run(for: .seconds(1))
            #expect(drive.row(of: endpoint)?.liveness == .suspect && drive.row(of: endpoint)?.isFlooding == true)
        }
        #expect(drive.timesAsked(endpoint, since: start) > 20, "the checks go on")
        drive.run(for: .seconds(2))
        #expect(drive.row(of: endpoint)?.liveness == .answering && drive.row(of: endpoint)?.isFlooding == false)
        #expect(drive.changeLines(since: start) == ["~ gateway Home suspect", "~ gateway Home"])
        // It floods again, over the new held connection.
        drive.run(for: .seconds(5))
        try flood(&drive)
        drive.run(for: .seconds(61))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        #expect(drive.checkOverKept(at: endpoint) == nil, "no connection is held for two minutes this time")
        drive.run(for: .seconds(65))
        #expect(drive.checkOverKept(at: endpoint) != nil)
    }

    /// Each flood starts the minute again: an endpoint that floods in every check for hours stays suspect, is neither
    /// gone nor forgotten, and answers again a minute after the last flood.
    @Test func whatFloodsOnAndOnIsNeitherGoneNorForgotten() throws {
        var drive = answering()
        try flood(&drive)
        for _ in 0..<300 {
            drive.run(for: .seconds(10))
            guard let job = floodingCheck(&drive) else { continue }
            drive.state.ended(job, .flooded, now: drive.now)
            drive.step()
        }
        #expect(drive.row(of: endpoint)?.liveness == .suspect && drive.row(of: endpoint)?.isFlooding == true)
        drive.run(for: .seconds(61))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
    }

    /// Starts a check over a short connection, which the caller ends as flooded.
    private func floodingCheck(_ drive: inout ScanDrive) -> CheckJob? {
        guard let known = drive.state.endpoints[endpoint], let answer = known.answer else { return nil }
        drive.state.checks.begin()
        return CheckJob(
            endpoint: endpoint,
            number: known.question.number,
            path: answer.path,
            dialect: answer.identity.dialect,
            signature: nil,
            connecting: nil,
            isHeld: false
        )
    }

    /// An endpoint that has flooded and then falls silent is gone as early as any other.
    @Test func whatFloodsAndFreezesIsGone() throws {
        var drive = answering()
        try flood(&drive)
        drive.run(for: .seconds(3))
        drive.listenEverywhere(.silence)
        drive.run(for: .milliseconds(9_900))
        #expect(drive.row(of: endpoint)?.liveness == .gone && drive.row(of: endpoint)?.isFlooding == false)
    }

    /// Another gateway that answers at an endpoint does not inherit the flood of the former one.
    @Test func whatComesAfterAFloodIsBelieved() throws {
        var drive = answering()
        try flood(&drive)
        drive.listenEverywhere(.gateway(SampleGateway("other", name: "Other").restarted))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["fp=other"]), [.txt]))
        drive.run(for: .seconds(5))
        #expect(drive.row(of: endpoint)?.name == "Other" && drive.row(of: endpoint)?.liveness == .answering)
    }

    /// When the first path of a gateway is silent, the answer of another one is reported, even if it took as long as before:
    /// otherwise, who watches the gateway would take it for gone.
    @Test func anAnswerElsewhereIsReported() {
        var drive = ScanDrive()
        let other = Samples.endpoint(2)
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        drive.run(for: .seconds(7))
        _ = drive.takeMapRecord()
        drive.listen(.silence, at: endpoint)
        drive.run(for: .seconds(5))
        let reported = drive.takeMapRecord().emitted.contains { event in
            if case .liveness(other, .answering, roundTrip: .some) = event { true } else { false }
        }
        #expect(reported)
    }
}
