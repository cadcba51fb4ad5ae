import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// The times at which an endpoint counts as suspect and as gone, see the guide KeepingThePictureTrue.
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

    @Test func twoMissesAreSuspectAndFourAreGone() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        let news = [tracker.answered(at: start), tracker.answered(at: start)]
        #expect(news == [true, false])
        let states = (1...5).map { tracker.missed(at: start + .seconds($0 * 2)) }
        #expect(states == [nil, .suspect, nil, .gone, nil])
        let isBack = tracker.answered(at: start + .seconds(11))
        #expect(isBack)
    }

    /// However fast it misses: what is gone has not answered for five seconds.
    @Test func whatAnsweredFiveSecondsAgoIsNotGone() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        _ = tracker.answered(at: start)
        let states = (1...5).map { tracker.missed(at: start + .milliseconds($0 * 1_100)) }
        #expect(states == [nil, .suspect, nil, nil, .gone])
    }

    @Test func waitsGrowFromASecondToAMinute() {
        var tracker = LivenessTracker()
        var waits: [Duration] = []
        for _ in 0..<25 { waits.append(tracker.nextWait()) }
        #expect(waits.first == .seconds(1))
        #expect(waits.last == .seconds(60))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    }

    /// Whenever it stops between two checks: suspect within five seconds, gone within ten, back within five, and within
    /// seven where each question waits a second for its silence.
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

    /// The waits between two looks at what is gone are those of the tracker, and nothing is added to them.
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

    /// A process that was stopped answers late, over the connection that is kept.
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

    /// A goodbye is a hint: the gateway stays while it answers, and is forgotten when it does not.
    @Test func aGoodbyeOnlyMakesItAsk() {
        var drive = answering(.bridge)
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        #expect(drive.checks.count == 1)
        drive.run(for: .seconds(60))
        #expect(drive.liveness(endpoint) == .answering)
        #expect(drive.map.gateways.count == 1)
        // Nothing points at it, and so it is asked once a minute.
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(70))
        #expect(drive.liveness(endpoint) == .gone)
        #expect(drive.map.gateways.isEmpty)
        #expect(drive.state.endpoints.count == 0)
        drive.run(for: .seconds(600))
        #expect(drive.state.next == nil)
    }

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
        #expect(drive.news(since: time) == [])
    }

    /// A gateway has two addresses and is at one of them at a time: the one that it comes back to is not left to its back-off.
    @Test(arguments: [false, true])
    func anAddressThatWasGoneIsAskedWhenTheOtherOneIsSilent(hasSession: Bool) {
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1), Samples.address(2)]), .gateway(SampleGateway()))
        drive.run(for: .seconds(10))
        drive.listen(.silence, at: Samples.endpoint(2))
        drive.run(for: .seconds(600))
        #expect(drive.liveness(Samples.endpoint(2)) == .gone)
        if hasSession { drive.state.noteSession(.answering, at: endpoint, roundTrip: nil, now: drive.now) }
        drive.run(for: .seconds(120))
        drive.listen(.silence, at: endpoint)
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        // The session says so half a second after it was asked for a sign of life.
        if hasSession { drive.state.noteSession(.suspect, at: endpoint, roundTrip: nil, now: drive.now) }
        drive.run(for: hasSession ? .milliseconds(300) : .seconds(4))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    /// A session that was there before anything was asked keeps its endpoint from being asked; the others are asked for it.
    @Test func aSessionThatWasThereFirstHasSiblings() {
        var drive = ScanDrive()
        let service = Samples.service("A", at: [Samples.address(1), Samples.address(2)])
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        drive.apply(.found(service))
        drive.state.noteSession(.answering, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(10))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
        drive.listen(.silence, at: Samples.endpoint(2))
        drive.run(for: .seconds(720))
        #expect(drive.liveness(Samples.endpoint(2)) == .gone)
        drive.listen(.gateway(SampleGateway()), at: Samples.endpoint(2))
        drive.state.noteSession(.suspect, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .milliseconds(300))
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    /// Somebody has a session with an endpoint that was never asked, and has told the map what it is.
    private func driveWithSession(_ service: DiscoveredService) -> ScanDrive {
        var drive = ScanDrive()
        drive.apply(.found(service))
        drive.state.emit(.probed(endpoint, .gateway(GatewayIdentity(name: "A", dialect: .optaplus))))
        drive.state.noteSession(.answering, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(5))
        return drive
    }

    @Test func whatASessionAloneHasKnownAnswersNoLongerThanIt() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        #expect(drive.liveness(endpoint) == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.state.noteSession(nil, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(1))
        #expect(drive.liveness(endpoint) != .answering, "it was asked in vain")
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// Its service goes first: the endpoint is not asked, and nobody else will say that it is gone.
    @Test func aSessionThatOutlivesItsServiceLeavesNothing() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        drive.apply(.lost(service, .withdrawn))
        drive.run(for: .seconds(1))
        #expect(drive.liveness(endpoint) == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.state.noteSession(nil, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// The owner of a session tells the map on a way of its own, which may be faster than the scanner's.
    @Test func aSessionThatTheMapKnowsToHaveEndedFirstLeavesNothing() {
        let service = Samples.service("A", at: [Samples.address(1)])
        var drive = driveWithSession(service)
        drive.listen(.refusal, at: endpoint)
        drive.state.emit(.sessionLiveness(endpoint, nil))
        drive.apply(.lost(service, .withdrawn))
        drive.state.noteSession(nil, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint) == nil)
    }

    /// A paired gateway is talked with where it was last, before the network tells that it is there.
    @Test func aServiceThatIsFoundDuringASessionAnswersNoLongerThanThat() {
        var drive = ScanDrive()
        drive.state.emit(.probed(endpoint, .gateway(GatewayIdentity(name: "A", dialect: .optaplus))))
        drive.state.noteSession(.answering, at: endpoint, roundTrip: nil, now: drive.now)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(5))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        drive.listen(.refusal, at: endpoint)
        drive.state.noteSession(nil, at: endpoint, roundTrip: nil, now: drive.now)
        drive.run(for: .seconds(1))
        #expect(drive.row(of: endpoint)?.liveness == .gone)
    }

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

    /// A forger of thousands of services must not keep us busy for ever.
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
        #expect(Set(drive.questions.dropFirst(1_000).map(\.endpoint)).count == 1_000, "none is forgotten")
    }

    /// A flood must not outlive itself.
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

    @Test func whatWasAGatewayDoesNotWaitItsTurnAmongStrangers() {
        var drive = answering(.bridge)
        drive.listenEverywhere(.refusal)
        drive.listen(.gateway(SampleGateway(dialect: .bridge)), at: endpoint)
        for number in 2...1_000 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("F\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .seconds(1))
        // A proxy answers in its place while it starts anew.
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

    @Test(arguments: [3, 4])
    func connectionsAreKeptForAFewGatewaysOnly(gateways: Int) {
        var drive = ScanDrive(ScannerConfiguration(heldConnections: 3))
        for number in 1...UInt32(gateways) {
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(gateway))
        }
        drive.run(for: .seconds(30))
        #expect(drive.network.heldCount == (gateways == 3 ? 3 : 0))
    }

    /// A connection over which requests are made stays held when there are too many gateways; the others do not.
    @Test func aConnectionInUseStays() {
        var drive = ScanDrive(ScannerConfiguration(heldConnections: 3))
        for number in 1...4 as ClosedRange<UInt32> {
            if number == 4 {
                #expect(drive.network.heldCount == 3)
                drive.state.noteUse(true, ofConnectionTo: endpoint)
            }
            let gateway = SampleGateway("f\(number)", name: "G\(number)")
            drive.find(Samples.service("S\(number)", at: [Samples.address(number)]), .gateway(gateway))
            drive.run(for: .seconds(30))
        }
        #expect(drive.network.heldCount == 1)
        #expect(!drive.released.contains(endpoint))
        drive.state.noteUse(false, ofConnectionTo: endpoint)
        drive.run(for: .seconds(30))
        #expect(drive.network.heldCount == 0)
    }

    /// The second path of a row is asked once a minute, and needs no connection of its own.
    @Test func theOtherPathsOfARowAreAskedOnceAMinute() {
        var drive = ScanDrive()
        let service = Samples.service("A", at: [Samples.address(1), Samples.address(2)])
        drive.find(service, .gateway(SampleGateway()))
        drive.run(for: .seconds(10))
        #expect(drive.map.gateways.count == 1)
        #expect(drive.network.heldCount == 1)
        let time = drive.elapsed
        drive.run(for: .seconds(120))
        let counts = [1, 2].map { drive.timesAsked(Samples.endpoint($0), since: time) }.sorted()
        #expect(counts[0] <= 3 && counts[1] >= 55, "\(counts)")
    }

    /// Checks of known gateways use no more sockets than probes, which ask for the first time.
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

    /// Forty are as many as twenty questions a second suffice for: the figures hold for all of them, also when half stop.
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

    /// Has more come over the kept connection of an endpoint than anybody had asked for.
    private func flood(_ drive: inout ScanDrive) throws {
        let check = try #require(drive.checkOverKept(at: endpoint))
        drive.network.release(endpoint)
        drive.state.heldConnectionEnded(check, .flooded, now: drive.now)
        drive.step()
    }

    /// It answers over short connections all the time, and is believed after a minute without.
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
        #expect(drive.timesAsked(endpoint, since: start) > 20, "and it is asked on")
        drive.run(for: .seconds(2))
        #expect(drive.row(of: endpoint)?.liveness == .answering && drive.row(of: endpoint)?.isFlooding == false)
        #expect(drive.news(since: start) == ["~ gateway Home suspect", "~ gateway Home"])
        // It floods again: over the connection that is kept again.
        drive.run(for: .seconds(5))
        try flood(&drive)
        drive.run(for: .seconds(61))
        #expect(drive.row(of: endpoint)?.liveness == .answering)
        #expect(drive.checkOverKept(at: endpoint) == nil, "two minutes this time")
        drive.run(for: .seconds(65))
        #expect(drive.checkOverKept(at: endpoint) != nil)
    }

    /// Each flood begins the minute anew, and over short connections it may be every two seconds, for hours.
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

    /// A check that floods in place of an answer.
    private func floodingCheck(_ drive: inout ScanDrive) -> CheckJob? {
        guard let known = drive.state.endpoints[endpoint], let answer = known.answer else { return nil }
        drive.state.runningChecks += 1
        return CheckJob(
            endpoint: endpoint,
            number: known.question,
            path: answer.path,
            dialect: answer.identity.dialect,
            resource: known.resource,
            signature: nil,
            connecting: nil,
            isHeld: false
        )
    }

    /// A gateway that has flooded and answers nothing any more is gone in time.
    @Test func whatFloodsAndFreezesIsGone() throws {
        var drive = answering()
        try flood(&drive)
        drive.run(for: .seconds(3))
        drive.listenEverywhere(.silence)
        drive.run(for: .milliseconds(9_900))
        #expect(drive.row(of: endpoint)?.liveness == .gone && drive.row(of: endpoint)?.isFlooding == false)
    }

    /// Another gateway at the same place has not flooded.
    @Test func whatComesAfterAFloodIsBelieved() throws {
        var drive = answering()
        try flood(&drive)
        drive.listenEverywhere(.gateway(SampleGateway("other", name: "Other").restarted))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["fp=other"]), [.txt]))
        drive.run(for: .seconds(5))
        #expect(drive.row(of: endpoint)?.name == "Other" && drive.row(of: endpoint)?.liveness == .answering)
    }
}
