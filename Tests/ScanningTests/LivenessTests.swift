import BotMap
import DNSSD
import Discovery
import GatewayProtocol
import Gateways
import Testing

@testable import Scanning

/// When a gateway counts as suspect and gone (design: liveness).
@Suite struct LivenessTests {
    private let endpoint = Samples.endpoint(1)

    private func answering(
        _ dialect: GatewayDialect = .bridge,
        _ configuration: ScannerConfiguration = ScannerConfiguration()
    ) -> ScanDrive {
        var drive = ScanDrive(configuration)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(7), answering: { _ in true }, dialect: dialect)
        return drive
    }

    @Test func twoMissesAreSuspectAndFourAreGone() {
        var tracker = LivenessTracker()
        let news = [tracker.answered(), tracker.answered()]
        #expect(news == [true, false])
        let states = (1...5).map { _ in tracker.missed() }
        #expect(states == [nil, .suspect, nil, .gone, nil])
        let isBack = tracker.answered()
        #expect(isBack)
    }

    @Test func waitsGrowFromASecondToAMinute() {
        var tracker = LivenessTracker()
        var waits: [Duration] = []
        for _ in 0..<25 { waits.append(tracker.nextWait()) }
        #expect(waits.first == .seconds(1))
        #expect(waits.last == .seconds(60))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    }

    /// Whenever it stops between two checks: suspect within five seconds, gone within ten, back within five.
    @Test(arguments: [0, 700, 1_300, 1_999])
    func aStoppedGatewayIsSuspectThenGoneThenBack(offset: Int) {
        var drive = answering()
        drive.run(for: .milliseconds(offset), answering: { _ in true })
        #expect(drive.liveness(endpoint) == .answering)
        drive.run(for: .milliseconds(4_900))
        #expect(drive.told.contains(.liveness(endpoint, .suspect)))
        drive.run(for: .milliseconds(2_000))
        #expect(drive.liveness(endpoint) == .gone)
        drive.run(for: .seconds(12))
        drive.run(for: .milliseconds(4_900), answering: { _ in true })
        #expect(drive.liveness(endpoint) == .answering)
    }

    @Test func aMissedAnswerAloneIsNothing() {
        var drive = answering()
        let before = drive.told.count
        drive.run(for: .milliseconds(1_500))
        drive.run(for: .seconds(10), answering: { _ in true })
        #expect(
            drive.told.dropFirst(before).allSatisfy {
                if case .liveness(_, let state, _) = $0 { state == .answering } else { true }
            }
        )
    }

    /// A process that was stopped answers late, over the connection that is kept.
    @Test func aLateAnswerCounts() throws {
        var drive = answering()
        drive.run(for: .seconds(9))
        #expect(drive.liveness(endpoint) == .gone)
        let id = try #require(drive.state.targets.keys.first)
        drive.state.answered(id, endpoint, .seconds(3), now: drive.now)
        drive.step()
        #expect(drive.liveness(endpoint) == .answering)
    }

    /// A goodbye is a hint: the gateway stays while it answers, and is forgotten when it does not.
    @Test func aGoodbyeOnlyMakesItAsk() {
        var drive = answering()
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        #expect(drive.checks.count == 1)
        drive.run(for: .seconds(60), answering: { _ in true })
        #expect(drive.liveness(endpoint) == .answering)
        drive.run(for: .seconds(10))
        #expect(drive.liveness(endpoint) == .gone)
        #expect(drive.state.targets.count == 0)
        #expect(drive.state.next == nil)
    }

    @Test func anotherAddressThatAnswersKeepsItAlive() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        drive.run(for: .seconds(10), answering: { _ in true })
        drive.run(for: .seconds(20), answering: { $0 == Samples.endpoint(2) })
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    @Test func fortyGatewaysAreEachAskedEveryTwoSecondsAndTwentyASecondInAll() {
        var drive = ScanDrive()
        for number in 1...40 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        var asked: [Endpoint: Int] = [:]
        drive.run(for: .seconds(4), answering: { _ in true })
        drive.run(for: .seconds(20)) {
            asked[$0, default: 0] += 1
            return true
        }
        #expect(asked.count == 40)
        #expect(asked.values.allSatisfy { $0 >= 9 && $0 <= 11 }, "\(asked.values.sorted())")
        #expect(asked.values.reduce(0, +) <= 20 * 20 + 20)
    }

    /// Whoever forges thousands of services must not keep us busy for ever.
    @Test func aThousandThatNeverAnswerAreAskedAgainTwentyTimesASecondInAll() {
        var drive = ScanDrive()
        for number in 1...1_000 {
            drive.apply(.found(Samples.service("Forged \(number)", at: [Samples.address(UInt32(number))])))
        }
        var asked: [Endpoint: Int] = [:]
        let neverAnswers = { (endpoint: Endpoint) in
            asked[endpoint, default: 0] += 1
            return false
        }
        drive.run(for: .zero, answering: neverAnswers)
        #expect(asked.count == 1_000 && asked.values.allSatisfy { $0 == 1 })
        var most = 0
        for _ in 1...100 {
            let before = asked.values.reduce(0, +)
            drive.run(for: .seconds(1), answering: neverAnswers)
            most = max(most, asked.values.reduce(0, +) - before)
        }
        let again = asked.values.reduce(0, +) - 1_000
        #expect(again > 1_200 && again < 2_400, "\(again) in 100 s")
        #expect(most < 60, "\(most) in one second")
        #expect(asked.values.allSatisfy { $0 > 1 }, "none is forgotten")
    }

    /// A flood must not outlive itself.
    @Test func whoStaysWhenAThousandLeaveIsAskedWithinAMinute() {
        var drive = ScanDrive()
        let forged = (2...1_000 as ClosedRange<UInt32>).map { Samples.service("F\($0)", at: [Samples.address($0)]) }
        for service in forged { drive.apply(.found(service)) }
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(5))
        for service in forged { drive.apply(.lost(service, .withdrawn)) }
        drive.run(for: .seconds(61), answering: { _ in true })
        #expect(drive.liveness(endpoint) == .answering)
    }

    @Test func whatWasAGatewayDoesNotWaitItsTurnAmongStrangers() throws {
        var drive = answering()
        for number in 2...1_000 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("F\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .zero, answering: { $0 == endpoint })
        // A proxy answers in its place while it starts anew.
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)]), [.txt]))
        let job = try #require(drive.probes.first { $0.question.endpoints == [endpoint] })
        drive.end(job, Samples.answerOfSomethingElse(endpoint, connections: 1))
        let before = drive.told.count
        drive.run(for: .seconds(2), answering: { $0 == endpoint })
        let isBack = drive.told[before...].contains {
            if case .liveness(endpoint, .answering, _) = $0 { true } else { false }
        }
        #expect(isBack)
    }

    @Test func withoutWatchingNothingIsAskedTwice() {
        var drive = answering(.bridge, ScannerConfiguration(watches: false))
        #expect(drive.state.next == nil)
        drive.run(for: .seconds(60))
        #expect(drive.checks.isEmpty)
        #expect(drive.liveness(endpoint) == .answering)
    }

    @Test(arguments: [3, 4])
    func connectionsAreKeptForAFewGatewaysOnly(gateways: Int) {
        var drive = ScanDrive(ScannerConfiguration(heldConnections: 3))
        for number in 1...UInt32(gateways) {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .seconds(30), answering: { _ in true }, dialect: .openAgents)
        #expect(drive.state.holds.count == (gateways == 3 ? 3 : 0))
    }

    /// What watches has no more sockets than what asks for the first time.
    @Test func checksAndProbesTogetherHaveThirtyTwoSockets() {
        var drive = ScanDrive()
        for number in 1...200 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
            while let job = drive.probes.first { drive.end(job, Samples.report(job.question.endpoints[0])) }
        }
        for number in 201...300 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        #expect(drive.probes.count == 32)
        for _ in 0..<200 where drive.advance() { #expect(drive.probes.count + drive.checks.count <= 32) }
        #expect(drive.probes.count == 32)
        drive.end(drive.probes[0], Samples.silence())
        #expect(drive.probes.count + drive.checks.count <= 32)
    }

    /// Forty are as many as twenty questions a second suffice for: the figures hold for all of them, also when half stop.
    @Test func twentyOfFortyThatStopAtOnceAreSeenInTime() {
        var drive = ScanDrive()
        for number in 1...40 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .seconds(6), answering: { _ in true })
        let isStopped = { (endpoint: Endpoint) in endpoint.address < Samples.address(21) }
        drive.run(for: .seconds(5), answering: { !isStopped($0) })
        let suspect = (1...20).count { drive.told.contains(.liveness(Samples.endpoint($0), .suspect)) }
        #expect(suspect == 20)
        drive.run(for: .seconds(5), answering: { !isStopped($0) })
        let gone = (1...20).count { drive.liveness(Samples.endpoint($0)) == .gone }
        #expect(gone == 20)
        #expect((21...40).allSatisfy { drive.liveness(Samples.endpoint($0)) == .answering })
    }
}
