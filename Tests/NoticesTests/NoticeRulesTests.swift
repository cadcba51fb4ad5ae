import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// When a user is told of gateways, and when not.
@Suite struct NoticeRulesTests {
    private static func drive(_ keys: String..., policy: NoticePolicy = NoticePolicy()) -> RuleDrive {
        var drive = RuleDrive(policy)
        for key in keys { drive.set(key, .answering) }
        drive.wait(1)
        return drive
    }

    @Test func aGatewayIsGoneAndBack() {
        var drive = Self.drive("a")
        drive.kill("a")
        #expect(drive.told == ["gone a"])
        drive.wait(600)
        drive.set("a", .answering)
        drive.wait(2)
        #expect(drive.told == ["gone a"])
        drive.wait(2)
        #expect(drive.told == ["gone a", "back a"])
        #expect(drive.outages.map(\.seconds) == [605])
        #expect(drive.notices.map { $0.since != nil } == [true, true])
    }

    /// The message that it is back has the length that the history has, though it is told later, and even by the next run of
    /// the agent.
    @Test(arguments: [false, true])
    func aReturnIsToldWithItsTrueLength(restarts: Bool) {
        var drive = Self.drive("a")
        drive.kill("a")
        drive.wait(600)
        drive.muted = ["a"]
        drive.set("a", .answering)
        drive.wait(300)
        if restarts {
            drive.restart()
            drive.set("a", .answering)
        }
        drive.muted = []
        drive.wait(30)
        #expect(drive.told == ["gone a", "back a"])
        let back = drive.notices.last
        let began = drive.actions.lazy.compactMap { if case .outageBegan(_, let at, _, _) = $0.0 { at } else { nil } }
            .first
        let ended = drive.actions.lazy.compactMap { if case .outageEnded(_, let at) = $0.0 { at } else { nil } }.first
        #expect(back?.since == began && back?.until == ended && began != nil && ended != nil)
    }

    /// The number of outages only ever grows, over restarts too: it is scraped as a counter.
    @Test func outagesAreCounted() {
        var drive = Self.drive("a")
        for number in 1...3 {
            drive.kill("a")
            drive.restart()
            drive.set("a", .answering)
            drive.wait(400)
            let counts = drive.actions.compactMap { action, _ in
                if case .remember(_, let memory) = action { memory.allOutages } else { nil }
            }
            #expect(counts.last == number && counts == counts.sorted())
        }
    }

    @Test func whatNeverAnsweredIsNotGone() {
        var drive = RuleDrive()
        drive.set("a", .gone)
        drive.wait(60)
        #expect(drive.told.isEmpty && drive.outages.isEmpty)
    }

    @Test func aRestartWithinThreeSecondsIsNotTold() {
        var drive = Self.drive("a")
        drive.set("a", .silent)
        drive.wait(3)
        drive.set("a", .answering)
        drive.wait(60)
        #expect(drive.told.isEmpty && drive.outages.isEmpty)
    }

    /// A session asks so seldom that the map needs long to call its gateway gone.
    @Test func aLongSilenceIsTold() {
        var drive = Self.drive("a")
        let heard = drive.instant
        drive.turn(by: .seconds(2))
        drive.set("a", .silent) { $0.heard = heard }
        drive.wait(4)
        #expect(drive.told.isEmpty)
        drive.wait(1)
        #expect(drive.told == ["gone a"])
        drive.set("a", .answering)
        drive.wait(4)
        #expect(drive.told == ["gone a", "back a"])
        // From the last answer on.
        #expect(drive.outages.map(\.seconds) == [7])
    }

    /// The silence of one whose neighbours are asked may be this host's: it is told once they have answered.
    @Test func aSilenceWaitsForTheAnswerOfNeighbours() {
        var drive = Self.drive("a")
        drive.set("a", .silent) { ($0.heard, $0.awaitsNeighbours) = (nil, true) }
        drive.wait(8)
        #expect(drive.told.isEmpty)
        drive.set("a", .silent) { $0.awaitsNeighbours = false }
        drive.wait(3)
        #expect(drive.told == ["gone a"])
    }

    @Test func aShortSilenceIsToldIfTheLastAnswerIsNotKnown() {
        var drive = Self.drive("a")
        drive.set("a", .silent) { $0.heard = nil }
        drive.wait(1)
        #expect(drive.told.isEmpty)
        drive.wait(1)
        #expect(drive.told == ["gone a"])
    }

    /// An answer that was long ago was not the last one: nobody has heard the others.
    @Test func anOutageBeginsWithTheLastAnswerThatIsKnown() {
        var drive = Self.drive("a")
        drive.set("a", .gone) { $0.heard = .now - .seconds(600) }
        drive.wait(5)
        drive.set("a", .answering)
        drive.wait(1)
        #expect(drive.outages.map(\.seconds) == [5])
    }

    @Test func flappingIsThreeMessagesAndASummary() {
        var drive = Self.drive("a")
        for _ in 0..<60 {
            drive.kill("a")
            drive.set("a", .answering)
            drive.wait(5)
        }
        #expect(drive.told == ["gone a", "back a", "unsteady a"])
        drive.wait(600)
        #expect(drive.told == ["gone a", "back a", "unsteady a", "settled a"])
        #expect(drive.notices.last?.outages == 60)
        #expect(drive.notices.last?.isAnswering == true)
        #expect(drive.outages.count == 60 && drive.outages.allSatisfy { $0.seconds == 5 })
    }

    @Test func whatFlapsCanStayAway() {
        var drive = Self.drive("a")
        drive.kill("a")
        drive.set("a", .answering)
        drive.wait(60)
        drive.kill("a")
        drive.wait(400)
        #expect(drive.told == ["gone a", "back a", "unsteady a", "settled a"])
        #expect(drive.notices.last?.isAnswering == false)
        drive.set("a", .answering)
        drive.wait(4)
        #expect(drive.told.last == "back a")
        #expect(drive.told.count == 5)
    }

    @Test func manyAtOnceAreOneMessage() {
        var drive = RuleDrive()
        let keys = (10..<40).map { "g\($0)" }
        for key in keys { drive.set(key, .answering) }
        for key in keys { drive.set(key, .silent) }
        drive.wait(5)
        // The map notices one after the other.
        for key in keys {
            drive.set(key, .gone)
            drive.turn(by: .milliseconds(90))
        }
        #expect(drive.told == ["gone \(keys.joined(separator: ","))"])
        for key in keys {
            drive.set(key, .answering)
            drive.turn(by: .milliseconds(90))
        }
        drive.wait(6)
        #expect(drive.told.last == "back \(keys.joined(separator: ","))")
        #expect(drive.told.count == 2)
    }

    /// In a large outage not all are asked at once: one of which nothing was heard since is waited for, and one that is
    /// heard of is not.
    @Test(arguments: [true, false])
    func oneThatWasNotAskedYetIsWaitedFor(isThere: Bool) {
        var drive = Self.drive("a", "b")
        if !isThere { drive.unheard = ["b"] }
        drive.set("a", .silent)
        drive.wait(5)
        drive.set("a", .gone)
        #expect(drive.told == (isThere ? ["gone a"] : []))
        drive.set("b", .silent)
        drive.turn(by: .seconds(2))
        drive.set("b", .gone)
        #expect(drive.told == (isThere ? ["gone a", "gone b"] : ["gone a,b"]))
    }

    @Test func oneIsNotHeldUpByAnotherForLong() {
        var drive = Self.drive("a", "b")
        drive.set("a", .silent)
        drive.wait(5)
        drive.set("a", .gone)
        drive.set("b", .silent)
        drive.wait(4)
        #expect(drive.told == ["gone a"])
    }

    @Test func ourOwnNetworkIsOneMessage() {
        var drive = Self.drive("a", "b", "c")
        for key in ["a", "b", "c"] { drive.set(key, .silent) { $0.hasNetwork = false } }
        drive.wait(5)
        for key in ["a", "b", "c"] { drive.set(key, .gone) }
        drive.wait(60)
        #expect(drive.told == ["cut-off a,b,c"])
        for key in ["a", "b", "c"] { drive.set(key, .gone) { $0.hasNetwork = true } }
        drive.wait(5)
        for key in ["a", "b"] { drive.set(key, .answering) }
        drive.wait(5)
        #expect(drive.told == ["cut-off a,b,c", "reconnected a,b,c"])
        #expect(drive.outages.isEmpty)
        // One that does not come back is gone.
        drive.wait(20)
        #expect(drive.told.last == "gone c")
        let unknown = drive.unknown
        #expect(Set(unknown.map(\.keys)) == [["a", "b", "c"]])
        // One time, which is told again each minute, and ends when there is a network.
        #expect(Set(unknown.map(\.from)).count == 1 && unknown.count == 3)
        #expect(unknown.last.map { $0.to.milliseconds - $0.from.milliseconds } == 65_000)
    }

    /// A network that is there for half an hour lies between two times without one, though nobody was told of it.
    @Test func timesWithoutANetworkAreNotOne() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 1
        var drive = Self.drive("a", policy: policy)
        for _ in 0..<2 {
            drive.set("a", .answering) { $0.hasNetwork = false }
            drive.wait(60)
            drive.set("a", .answering) { $0.hasNetwork = true }
            drive.wait(1_200)
        }
        let lengths = Dictionary(grouping: drive.unknown, by: \.from).mapValues { times in
            times.map { $0.to.milliseconds - $0.from.milliseconds }.max()
        }
        #expect(lengths.values.sorted { $0 ?? 0 < $1 ?? 0 } == [60_000, 60_000])
        #expect(drive.told == ["cut-off a"])
    }

    // MARK: Rest

    /// Where nothing happens, nobody wakes up: neither while all answer, nor while one is away, nor without a network.
    @Test func nothingIsAskedForAtRest() {
        var drive = RuleDrive()
        #expect(drive.rules.pace(at: drive.instant) == .never)
        for key in ["a", "b"] {
            drive.set(key, .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        }
        drive.wait(30)
        #expect(drive.rules.pace(at: drive.instant) == .rest && !drive.rules.hasNews(at: drive.moment))
        drive.set("a", .silent)
        #expect(drive.rules.pace(at: drive.instant) == .soon)
        drive.kill("a")
        drive.wait(30)
        #expect(drive.told == ["gone a"])
        #expect(drive.rules.pace(at: drive.instant) == .rest && !drive.rules.hasNews(at: drive.moment))
        drive.set("b", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        #expect(drive.rules.pace(at: drive.instant) == .soon)
        drive.wait(30)
        #expect(drive.told == ["gone a", "way-lost b"])
        #expect(drive.rules.pace(at: drive.instant) == .rest && !drive.rules.hasNews(at: drive.moment))
        for key in ["a", "b"] { drive.set(key, .gone) { $0.hasNetwork = false } }
        drive.wait(10)
        #expect(drive.rules.pace(at: drive.instant) == .later && !drive.rules.hasNews(at: drive.moment))
    }

    /// One to which no network leads, such as on a tailnet that is off for days, does not delay what is told of others.
    @Test func oneWithoutANetworkDelaysNoOther() {
        var drive = Self.drive("a", "b")
        drive.set("a", .gone) { $0.hasNetwork = false }
        drive.wait(60)
        #expect(drive.told == ["cut-off a"] && drive.rules.pace(at: drive.instant) == .later)
        drive.set("b", .silent)
        #expect(drive.rules.pace(at: drive.instant) == .soon)
    }

    /// An agent that starts again in an outage of which nobody was told yet is impatient until it can judge that.
    @Test func anOutageThatWasNotToldYetIsToldSoonAfterARestart() {
        var policy = NoticePolicy()
        policy.quietHours = QuietHours("11:00-12:01")
        var drive = Self.drive("a", policy: policy)
        drive.kill("a")
        drive.wait(50)
        drive.restart(policy)
        drive.set("a", .gone)
        #expect(drive.told.isEmpty && drive.rules.pace(at: drive.instant) == .soon)
        drive.rest(20)
        #expect(drive.told == ["gone a"] && drive.outages.count == 1)
    }

    @Test func whatIsMutedIsLookedAtAgain() {
        var drive = Self.drive("a")
        drive.muted = ["a"]
        drive.kill("a")
        drive.wait(60)
        #expect(drive.rules.pace(at: drive.instant) == .later && drive.rules.hasNews(at: drive.moment))
    }

    // MARK: Memory

    @Test func whatNeverAnsweredIsNotRemembered() {
        var drive = RuleDrive()
        drive.set("a", .gone)
        drive.set("b", .unknown)
        drive.wait(60)
        #expect(drive.actions.isEmpty)
        drive.set("a", .answering)
        #expect(drive.actions.count { if case .remember = $0.0 { true } else { false } } == 1)
    }

    @Test func aSleepIsOneMessage() {
        var drive = Self.drive("a", "b")
        drive.sleep(.seconds(3_600))
        for key in ["a", "b"] { drive.set(key, .gone) }
        drive.wait(5)
        for key in ["a", "b"] { drive.set(key, .answering) }
        drive.wait(600)
        #expect(drive.told == ["asleep"])
        #expect(drive.outages.isEmpty)
        let notices = drive.actions.compactMap { action, _ -> Notice? in
            if case .tell(let notice) = action { notice } else { nil }
        }
        let times = notices.map { ($0.until?.milliseconds ?? 0) - ($0.since?.milliseconds ?? 0) }
        #expect(times == [3_600_000])
    }

    @Test func aShortStopOfThisProcessIsNotTold() {
        var drive = Self.drive("a")
        drive.sleep(.seconds(20))
        drive.wait(60)
        #expect(drive.told.isEmpty)
    }

    @Test func anAgentThatStartsAgainInAnOutageTellsTheReturnAlone() {
        var drive = Self.drive("a", "b")
        drive.kill("a")
        drive.restart()
        drive.wait(2)
        drive.set("a", .gone)
        drive.set("b", .answering)
        drive.wait(60)
        #expect(drive.told == ["gone a"])
        drive.restart()
        drive.set("b", .answering)
        drive.set("a", .answering)
        drive.wait(4)
        #expect(drive.told == ["gone a", "back a"])
        #expect(drive.outages.count == 1)
    }

    @Test func whatWentAwayWhileNoAgentRanIsTold() {
        var drive = Self.drive("a")
        drive.restart()
        drive.set("a", .gone)
        drive.wait(10)
        #expect(drive.told.isEmpty)
        drive.wait(10)
        #expect(drive.told == ["gone a"])
    }

    /// An outage that comes soon after a return, and is muted at first, is told by the length that it has after the mute: as one
    /// more of the same, or as gone if it has become clearly longer than the one before.
    @Test(arguments: [(2, "unsteady a"), (30, "gone a")]) func aMutedOutageIsToldByItsLength(seconds: Int, kind: String)
    {
        var drive = Self.drive("a")
        drive.kill("a")
        drive.wait(5)
        drive.set("a", .answering)
        drive.wait(10)
        drive.muted = ["a"]
        drive.kill("a")
        drive.wait(seconds)
        #expect(drive.told == ["gone a", "back a"])
        drive.muted = []
        drive.wait(1)
        #expect(drive.told == ["gone a", "back a", kind])
    }

    @Test func aMuteDelaysWhatIsStillSo() {
        var drive = Self.drive("a")
        drive.muted = ["a"]
        drive.kill("a")
        drive.wait(60)
        #expect(drive.told.isEmpty)
        drive.muted = []
        drive.wait(1)
        #expect(drive.told == ["gone a"])
        drive.muted = ["a"]
        drive.set("a", .answering)
        drive.wait(60)
        drive.muted = []
        drive.wait(1)
        #expect(drive.told == ["gone a", "back a"])
    }

    @Test func whatIsOverInQuietHoursIsNotTold() {
        var policy = NoticePolicy()
        policy.quietHours = QuietHours("11:00-12:10")
        var drive = Self.drive("a", "b", policy: policy)
        drive.kill("a", "b")
        drive.wait(60)
        drive.set("a", .answering)
        drive.wait(60)
        #expect(drive.told.isEmpty)
        drive.wait(600)
        #expect(drive.told == ["gone b"])
        #expect(drive.outages.count == 2)
    }

    /// What went away and came back in quiet hours, and is dead at their end, is gone: nobody was told that it comes and goes.
    @Test func whatIsDeadAtTheEndOfQuietHoursIsGone() throws {
        var policy = NoticePolicy()
        policy.quietHours = QuietHours("11:00-12:10")
        var drive = Self.drive("a", policy: policy)
        for _ in 0..<3 {
            drive.kill("a")
            drive.wait(20)
            drive.set("a", .answering)
            drive.wait(20)
        }
        drive.kill("a")
        #expect(drive.told.isEmpty)
        drive.wait(600)
        #expect(drive.told == ["gone a"])
        #expect(drive.outages.count == 4 && drive.outages.last?.seconds == nil)
        // Since the outage that lasts, and none of those before.
        let since = try #require(drive.notices.first?.since)
        #expect(since > Timestamp("2026-11-26T12:02:00.000Z")!)
        drive.set("a", .answering)
        drive.wait(10)
        #expect(drive.told == ["gone a", "back a"])
    }

    /// A return that was told right before quiet hours makes no *comes and goes* of a death in them.
    @Test func aDeathInQuietHoursAfterAReturnIsGone() {
        var policy = NoticePolicy()
        policy.quietHours = QuietHours("12:02-12:20")
        var drive = Self.drive("a", policy: policy)
        drive.kill("a")
        drive.wait(20)
        drive.set("a", .answering)
        drive.wait(20)
        #expect(drive.told == ["gone a", "back a"])
        drive.wait(90)
        drive.kill("a")
        drive.wait(1_200)
        #expect(drive.told == ["gone a", "back a", "gone a"])
    }

    @Test func theLimitsHold() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 3
        var drive = RuleDrive(policy)
        drive.set("a", .answering) { $0.isOwn = false }
        drive.wait(1)
        for _ in 0..<6 {
            drive.kill("a")
            drive.wait(30)
            drive.set("a", .answering)
            drive.wait(310)
        }
        #expect(drive.told == ["gone a", "back a", "gone a"])
        drive.wait(1_800)
        #expect(drive.told == ["gone a", "back a", "gone a", "back a"])
    }

    @Test func aLostWayIsTold() {
        var drive = RuleDrive()
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        drive.wait(1)
        #expect(drive.told.isEmpty)
        drive.wait(2)
        #expect(drive.told == ["way-lost a"])
        #expect(drive.notices.last?.lost == .tailnet && drive.notices.last?.ways == [.lanIPv4])
        // Not asked for a while: nothing is known.
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true] }
        drive.wait(60)
        drive.restart()
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        drive.wait(60)
        #expect(drive.told == ["way-lost a"])
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(11)
        #expect(drive.told == ["way-lost a", "way-back a"])
    }

    /// A way that comes and goes does not use up the messages that a gateway may have in an hour.
    @Test func aWayThatComesAndGoesIsToldOfOnce() {
        var drive = RuleDrive()
        for _ in 0..<20 {
            drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
            drive.wait(15)
            drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
            drive.wait(15)
        }
        #expect(drive.told == ["way-lost a", "way-back a"])
        // Lost for good this time. The agent looks again in time, though nothing else happens.
        drive.rest(70)
        #expect(drive.told == ["way-lost a", "way-back a", "way-lost a"])
    }

    /// A lost way is told once the gateway has answered over another one since, or has had the time for it.
    @Test(arguments: [true, false])
    func aLostWayIsToldAfterAnAnswerElsewhere(isHeard: Bool) {
        var drive = RuleDrive()
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
        drive.unheard = ["a"]
        if !isHeard { drive.set("a", .answering) { $0.heard = nil } }
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        drive.wait(4)
        #expect(drive.told.isEmpty)
        if isHeard { drive.unheard = [] }
        drive.wait(2)
        #expect(drive.told == ["way-lost a"])
    }

    /// The ways of a gateway that stops do not fall silent all at once, and none of them is told.
    @Test func theWaysOfAGatewayThatStopsAreNotTold() {
        var drive = RuleDrive()
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        drive.wait(1)
        drive.set("a", .silent)
        drive.wait(4)
        drive.set("a", .gone) { $0.ways = [.lanIPv4: false, .tailnet: false] }
        drive.wait(30)
        #expect(drive.told == ["gone a"])
    }

    @Test func aTroubleIsToldOnce() {
        var drive = RuleDrive()
        drive.set("a", .answering)
        drive.set("a", .answering) { $0.troubles = [.changedCertificate] }
        drive.wait(60)
        drive.set("a", .answering) { $0.troubles = [] }
        drive.wait(60)
        drive.set("a", .answering) { $0.troubles = [.changedCertificate] }
        drive.wait(60)
        #expect(drive.told == ["changed-certificate a"])
        drive.set("a", .answering) { $0.troubles = [] }
        drive.wait(400)
        drive.set("a", .answering) { $0.troubles = [.changedCertificate] }
        drive.wait(60)
        #expect(drive.told == ["changed-certificate a", "changed-certificate a"])
    }

    @Test func whatIsWatchedNoMoreIsForgotten() {
        var drive = Self.drive("a")
        drive.kill("a")
        drive.facts = [:]
        drive.wait(1)
        #expect(drive.told == ["gone a"])
        #expect(drive.outages.map(\.seconds) == [5])
        #expect(drive.actions.contains { $0.0 == .forget(key: "a") })
    }

    // MARK: Readiness

    /// One that is not ready for two minutes is told, and its return; a start that takes less is not.
    @Test func oneThatIsNotReadyIsToldAfterTwoMinutes() {
        var drive = Self.drive("a")
        drive.set("a", .answering) { $0.readiness = .starting }
        drive.rest(100)
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.rest(300)
        #expect(drive.told.isEmpty)
        drive.set("a", .answering) { $0.readiness = .failing(["discord"]) }
        drive.rest(115)
        #expect(drive.told.isEmpty)
        drive.rest(15)
        #expect(drive.told == ["not-ready a"])
        #expect(drive.notices.last?.failing == ["discord"] && drive.notices.last?.since != nil)
        #expect(drive.notices.last?.text(in: .utc).contains("These fail: discord.") == true)
        drive.rest(3_600)
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.rest(10)
        #expect(drive.told == ["not-ready a", "ready a"])
        #expect(drive.outages.isEmpty)
    }

    /// A gateway whose readiness is not known is neither ready nor not; and what was told is known to the next run of
    /// the agent.
    @Test func whatIsNotKnownOfReadinessIsNotTold() {
        var drive = Self.drive("a")
        for _ in 0..<5 {
            drive.set("a", .answering) { $0.readiness = .failing([]) }
            drive.rest(60)
            drive.set("a", .answering) { $0.readiness = nil }
            drive.rest(60)
        }
        #expect(drive.told.isEmpty)
        drive.set("a", .answering) { $0.readiness = .failing([]) }
        drive.rest(130)
        #expect(drive.told == ["not-ready a"])
        drive.restart()
        drive.set("a", .answering) { $0.readiness = nil }
        drive.rest(300)
        drive.set("a", .answering) { $0.readiness = .failing([]) }
        drive.rest(300)
        #expect(drive.told == ["not-ready a"])
        drive.kill("a")
        drive.rest(60)
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.rest(30)
        #expect(Set(drive.told) == ["not-ready a", "gone a", "back a", "ready a"] && drive.told.count == 4)
    }

    /// When the way of its session falls silent, the other ways are asked first: the last answer can be older than that by
    /// then, since a session waits long.
    @Test func otherWaysAreAskedFirst() {
        var drive = Self.drive("a")
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .lanIPv6: true] }
        let heard = drive.instant
        drive.turn(by: .seconds(8))
        drive.set("a", .silent) { $0.heard = heard }
        #expect(drive.told.isEmpty)
        drive.turn(by: .milliseconds(500))
        drive.set("a", .answering)
        drive.wait(20)
        #expect(drive.told.isEmpty && drive.outages.isEmpty)
        let last = drive.instant
        drive.turn(by: .seconds(8))
        drive.set("a", .silent) { $0.heard = last }
        drive.wait(3)
        #expect(drive.told == ["gone a"])
    }
}
