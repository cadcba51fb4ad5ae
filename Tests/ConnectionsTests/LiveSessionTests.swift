import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Established sessions: their signs of life, their end, and the search for a successor.
@Suite struct LiveSessionTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now)
    }

    /// A session that ends after it was stable is sought again at once, without a back-off.
    @Test mutating func aSessionThatLastedIsSoughtAtOnceWhenItEnds() throws {
        let id = try connect()
        #expect(!connects(tell(.ended(id, .unreachable), after: .seconds(60))).isEmpty)
    }

    /// A gateway that answers, but ends each session at once, is not sought more often because of its answers.
    @Test mutating func whoAnswersAndEndsEachSessionIsNotSoughtMoreOften() throws {
        var ids = [try connect()]
        for _ in 0..<240 {
            if let id = ids.last { _ = tell(.ended(id, .unreachable)) }
            let actions = tell(.answered, after: .milliseconds(250)) + tell(.timePassed)
            for (id, path) in connects(actions) {
                ids.append(id)
                _ = tell(.opened(id, .allowed))
                #expect(tell(.granted(id, tick: nil)).contains(.established(id, path)))
            }
        }
        #expect(ids.count <= 14, "attempts in a minute")
    }

    /// A gateway that answers somebody else is sought at once, however long the pause has become.
    @Test mutating func whoAnswersIsSoughtAtOnce() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempts = connects(tell(.start))
        for _ in 0..<8 {
            for (id, _) in attempts { _ = tell(.ended(id, .unreachable)) }
            attempts = connects(turnToDeadline())
        }
        for (id, _) in attempts { _ = tell(.ended(id, .unreachable)) }
        #expect(try #require(machine.deadline) - now > .seconds(5))
        #expect(!connects(tell(.answered) + tell(.timePassed, after: .seconds(1))).isEmpty)
    }

    /// A session that ends at once is sought again after the back-off.
    @Test mutating func aSessionThatEndsAtOnceIsSoughtLater() throws {
        let id = try connect()
        #expect(connects(tell(.ended(id, .unreachable), after: .milliseconds(50))).isEmpty)
        guard case .waiting = machine.state else {
            Issue.record("expected to wait, found \(machine.state)")
            return
        }
    }

    /// A session is pinged every 30 s, and every 2 s while somebody watches.
    @Test mutating func signsOfLifeAreAskedForAsOftenAsSomebodyWatches() throws {
        let id = try connect()
        let start = now
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(30))
        _ = tell(.signOfLife(id))
        _ = tell(.watched(true))
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(32))
    }

    /// Watched sessions share a budget of pings, so that many of them are each pinged less often, but at least every 30
    /// s.
    @Test(arguments: [(1, 2), (40, 2), (100, 5), (500, 25), (600, 30), (2_000, 30)])
    mutating func manyWatchedSessionsShareTheQuestions(count: Int, seconds: Int) throws {
        let id = try connect()
        let start = now
        _ = tell(.watched(true, among: count))
        #expect(turnToDeadline().contains(.ping(id)))
        #expect(now - start == .seconds(seconds))
    }

    /// A ping that is nearly due is sent when the process is awake for another reason, since waking up costs more than
    /// a ping.
    @Test mutating func aQuestionThatIsNearlyDueIsAskedWithOthers() throws {
        let id = try connect()
        #expect(machine.deadline == now + .seconds(30), "it does not wake the process sooner")
        #expect(!tell(.timePassed, after: .milliseconds(29_390)).contains(.ping(id)))
        #expect(tell(.timePassed, after: .milliseconds(20)).contains(.ping(id)))
    }

    /// A session without an answer to a ping is suspect after 5 s, and is given up after 10 s.
    @Test mutating func silenceIsDoubtedAndThenGivenUp() throws {
        let id = try connect()
        _ = turnToDeadline()
        let asked = now
        let doubted = turnToDeadline()
        #expect(now - asked == .seconds(5))
        #expect(doubted.contains(.liveness(id, .suspect)))
        // A new connection is opened beside the suspect session.
        #expect(connects(doubted).count == 1)
        #expect(machine.state == .connected(Self.lan))
        var actions: [SessionAction] = []
        for _ in 0..<8 where machine.state.isConnected { actions = turnToDeadline() }
        #expect(actions.contains(.close(id, code: 4_000)))
        #expect(now - asked == .seconds(10))
        // The attempt on the new connection goes on.
        #expect(machine.state == .connecting)
    }

    /// Somebody who watches sees soon that a host was unplugged: its session is suspect 4 s after the last sign of life, and
    /// given up after 8 s, however much of that the host was not asked.
    @Test mutating func whoWatchesSeesSoonerThatAHostIsSilent() throws {
        let id = try connect()
        _ = tell(.watched(true))
        let start = now
        var times: [Duration] = []
        for _ in 0..<40 where times.count < 2 {
            let actions = turnToDeadline()
            if actions.contains(.liveness(id, .suspect)) || actions.contains(.close(id, code: 4_000)) {
                times.append(now - start)
            }
            for (attempt, _) in connects(actions) { _ = tell(.ended(attempt, .unreachable)) }
        }
        #expect(times == [.seconds(4), .seconds(8)])
    }

    /// Of many sessions each is asked more seldom, and a silence counts by the questions that were asked.
    @Test mutating func ofManySessionsEachHasItsQuestions() throws {
        let id = try connect()
        _ = tell(.watched(true, among: 200))
        var (pings, times): ([ContinuousClock.Instant], [Duration]) = ([], [])
        for _ in 0..<40 where times.count < 2 {
            let actions = turnToDeadline()
            if actions.contains(.ping(id)) { pings.append(now) }
            if actions.contains(.liveness(id, .suspect)) || actions.contains(.close(id, code: 4_000)) {
                times.append(now - (try #require(pings.first)))
            }
            for (attempt, _) in connects(actions) { _ = tell(.ended(attempt, .unreachable)) }
        }
        #expect(times == [.seconds(5), .seconds(10)])
    }

    /// Whoever begins to watch while nobody was asked for half a minute does not take that for silence.
    @Test mutating func whatWasNotAskedIsNotSilent() throws {
        let id = try connect()
        let pinged = tell(.watched(true), after: .seconds(29))
        #expect(pinged.contains(.ping(id)))
        let asked = now
        var actions: [SessionAction] = []
        for _ in 0..<8 where !actions.contains(.liveness(id, .suspect)) { actions = turnToDeadline() }
        #expect(now - asked == .seconds(2))
    }

    /// A host that answers late, but within one interval of pings, is never suspect, and one that answers within three is
    /// not given up, in whatever order its answers come.
    @Test(arguments: [(latest: 1_900, mayBeSuspect: false), (latest: 5_900, mayBeSuspect: true)])
    mutating func whoAnswersLateIsNotGivenUp(latest: Int, mayBeSuspect: Bool) throws {
        let id = try connect()
        var random = SeededGenerator(seed: 44)
        var answers: [ContinuousClock.Instant] = []
        var actions = tell(.watched(true))
        for _ in 0..<3_000 {
            if let answer = answers.min(), let deadline = machine.deadline, answer < deadline {
                answers.removeAll { $0 == answer }
                actions = tell(.signOfLife(id), after: max(.zero, answer - now))
            } else {
                actions = turnToDeadline()
            }
            if actions.contains(.ping(id)) {
                answers.append(now + .milliseconds(Int.random(in: 1...latest, using: &random)))
            }
            guard !actions.contains(.close(id, code: 4_000)) else {
                Issue.record("given up")
                return
            }
            #expect(mayBeSuspect || !actions.contains(.liveness(id, .suspect)))
            for (attempt, _) in connects(actions) { _ = tell(.ended(attempt, .unreachable)) }
        }
    }

    /// A sign of life ends the suspicion, and closes the connection that was opened beside the session.
    @Test mutating func anAnswerInTimeEndsTheDoubt() throws {
        let id = try connect()
        _ = turnToDeadline()
        let fresh = try #require(connects(turnToDeadline()).first?.id)
        let actions = tell(.signOfLife(id))
        #expect(actions.contains(.liveness(id, .answering)))
        #expect(actions.contains(.close(fresh, code: 1_000)))
        #expect(machine.state == .connected(Self.lan))
    }

    /// A session ends when two ticks that the gateway has promised have not come.
    @Test mutating func twoTicksThatDoNotComeEndTheSession() throws {
        let id = try connect(tick: .seconds(3))
        let start = now
        var actions: [SessionAction] = []
        for _ in 0..<8 where machine.state.isConnected { actions = turnToDeadline() }
        #expect(actions.contains(.close(id, code: 4_000)))
        #expect(now - start == .seconds(6))
    }

    /// A congested session, whose messages nobody takes, is not given up as silent.
    @Test mutating func congestedSessionIsKept() throws {
        let id = try connect(tick: .seconds(3))
        _ = tell(.congested(id, true))
        #expect(machine.deadline == nil)
        #expect(tell(.timePassed, after: .seconds(600)).isEmpty)
        _ = tell(.congested(id, false))
        #expect(machine.deadline != nil)
    }

    /// A session that is pinged after this host was asleep is suspect half a second later.
    @Test mutating func afterSleepItIsDoubtedSooner() throws {
        let id = try connect()
        #expect(tell(.wake(after: .zero), after: .seconds(3_600 / 200)).contains(.ping(id)))
        let start = now
        #expect(turnToDeadline().contains(.liveness(id, .suspect)))
        #expect(now - start == .milliseconds(500))
    }

    /// The last of many changes in quick succession causes a ping as well, although it exceeds the limit at first: it
    /// may be the one that shows that the gateway has moved.
    @Test mutating func theLastOfManyChangesIsNotForgotten() throws {
        let id = try connect()
        for _ in 0..<3 {
            _ = tell(.wake(after: .zero), after: .milliseconds(50))
            _ = tell(.signOfLife(id), after: .milliseconds(1))
        }
        let start = now
        #expect(tell(.wake(after: .zero), after: .milliseconds(50)).isEmpty, "the limit of wake-ups is reached")
        var actions: [SessionAction] = []
        for _ in 0..<8 where !actions.contains(.liveness(id, .suspect)) { actions += turnToDeadline() }
        #expect(actions.contains(.ping(id)))
        #expect(actions.contains(.liveness(id, .suspect)))
        #expect(now - start < .milliseconds(1_600))
    }

    /// A path that has not been tried yet is tried beside a suspect session, although attempts on other paths use all
    /// the places of the search: it may be the only one that leads to where the gateway is now. It is new, or was known
    /// all the time.
    @Test(arguments: [false, true])
    mutating func aWayThatComesLaterIsTriedBesideADoubtedSession(isNew: Bool) throws {
        let known = (1...6 as ClosedRange<UInt8>).map { Self.path($0) }
        let id = try connect()
        _ = tell(.offer(PathOffer(local: isNew ? Array(known.dropLast()) : known)))
        _ = tell(.wake(after: .zero), after: .seconds(1))
        var tried: [SessionPath] = []
        for _ in 0..<8 where tried.count < 4 { tried += connects(turnToDeadline()).map(\.path) }
        #expect(tried.count == 4 && !tried.contains(known[5]))
        if isNew { _ = tell(.offer(PathOffer(local: known))) }
        var later = connects(tell(.wake(after: .zero), after: .milliseconds(1_100))).map(\.path)
        for _ in 0..<6 where !later.contains(known[5]) { later += connects(turnToDeadline()).map(\.path) }
        #expect(later.contains(known[5]))
        #expect(machine.state.isConnected, "\(id) is kept in the meantime")
    }

    /// An obstacle that an attempt beside a suspect session meets is shown until the session gives a sign of life: the
    /// gateway may have moved to where it gets no token.
    @Test mutating func whatStandsInTheWayOfADoubtedSessionIsShown() throws {
        let id = try connect()
        _ = tell(.wake(after: .zero), after: .seconds(1))
        let doubted = turnToDeadline()
        #expect(doubted.contains(.liveness(id, .suspect)))
        let other = try #require(connects(doubted).first?.id)
        _ = tell(.opened(other, .moved(.router)))
        #expect(machine.state == .moved(.router))
        _ = tell(.signOfLife(id))
        #expect(machine.state.isConnected)
    }

    /// A session through a tunnel is replaced by one on this network, which is established before the old one is
    /// closed.
    @Test mutating func theNewSessionIsUpBeforeTheOldOneCloses() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let remote = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(remote, .allowed))
        _ = tell(.granted(remote, tick: nil))
        #expect(machine.state == .connected(Self.tunnel))
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])), after: .seconds(40))
        let local = try #require(connects(back).first?.id)
        #expect(!back.contains(.close(remote, code: 1_000)))
        #expect(tell(.opened(local, .allowed)).contains(.authenticate(local)))
        let actions = tell(.granted(local, tick: nil))
        #expect(actions.contains(.close(remote, code: 1_000)))
        #expect(actions.contains(.established(local, Self.lan)))
        #expect(machine.state == .connected(Self.lan))
        #expect(tell(.ended(remote, .unreachable)).isEmpty)
    }

    /// A failed attempt on a better path leaves the session as it is, and is repeated later.
    @Test mutating func aWayBackThatFailsDisturbsNothing() throws {
        _ = tell(.offer(PathOffer(remote: [Self.tunnel])))
        let remote = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(remote, .allowed))
        _ = tell(.granted(remote, tick: nil))
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        let local = try #require(connects(back).first?.id)
        #expect(tell(.ended(local, .unreachable)).isEmpty)
        #expect(machine.state == .connected(Self.tunnel))
        // It is tried again later.
        let start = now
        #expect(connects(turnToDeadline()).map(\.path) == [Self.lan])
        #expect(now - start >= .seconds(5))
    }

    /// Stopping closes the session, and nothing is due afterwards.
    @Test mutating func stoppingClosesEverything() throws {
        let id = try connect()
        let actions = tell(.stop)
        #expect(actions.contains(.close(id, code: 1_000)))
        #expect(machine.state == .stopped)
        #expect(machine.deadline == nil)
    }

    // MARK: A better path

    /// Establishes a session on a path, and then offers other paths.
    private mutating func connect(on path: SessionPath, _ offer: PathOffer) throws -> AttemptID {
        _ = tell(.offer(PathOffer(local: [path])))
        let id = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(id, .allowed))
        _ = tell(.granted(id, tick: nil))
        _ = tell(.offer(offer))
        return id
    }

    /// A session on a remote path is not replaced by one on another remote path.
    @Test mutating func aSessionOnARemoteWayIsNotReplacedByItsLike() throws {
        let far = Self.path(5, .remote)
        _ = try connect(on: far, PathOffer(local: [far, Self.path(6, .remote)], remote: [Self.tunnel]))
        #expect(live(for: .seconds(600)).map(\.path) == [])
        #expect(machine.state == .connected(far))
    }

    /// Establishes a session through the tunnel, and returns it and the attempt on this network that is to replace it.
    private mutating func openSuccessor() throws -> (session: AttemptID, successor: AttemptID) {
        let id = try connect(on: Self.tunnel, PathOffer(remote: [Self.tunnel]))
        let back = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        return (id, try #require(connects(back).first?.id))
    }

    /// An attempt that may not get the token is repeated after a pause.
    @Test mutating func aSuccessorThatMayNotHaveTheTokenIsTriedAgainLater() throws {
        let (_, successor) = try openSuccessor()
        _ = tell(.opened(successor, .moved(.machine)))
        #expect(live(for: .seconds(4)).isEmpty)
        #expect(live(for: .seconds(2)).map(\.path) == [Self.lan])
    }

    /// A gateway that asks an attempt to wait is not asked for another session before that time; the present session is
    /// kept.
    @Test mutating func theRefusalOfASuccessorIsHeeded() throws {
        let (id, successor) = try openSuccessor()
        _ = tell(.opened(successor, .allowed))
        let refusal = SessionRefusal(
            dialect: .openClaw,
            reason: .rateLimited,
            credential: .deviceToken,
            retryAfter: .seconds(200)
        )
        _ = tell(.ended(successor, .refused(refusal)))
        #expect(machine.state == .connected(Self.tunnel))
        // Neither time that passes nor a wake-up makes it ask sooner.
        for _ in 0..<19 {
            #expect(live(for: .seconds(10)).isEmpty)
            #expect(connects(tell(.wake(after: .zero))).isEmpty)
            _ = tell(.signOfLife(id))
        }
        #expect(live(for: .seconds(9)).isEmpty)
        #expect(live(for: .seconds(60)).first?.path == Self.lan)
    }

    /// A session that ends while such a wait goes on is sought again only after it.
    @Test mutating func aSessionThatEndsWhileItsSuccessorIsToWaitIsSoughtNoSooner() throws {
        for isSilent in [false, true] {
            machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now)
            let (id, successor) = try openSuccessor()
            _ = tell(.opened(successor, .allowed))
            let refusal = SessionRefusal(
                dialect: .openClaw,
                reason: .rateLimited,
                credential: .deviceToken,
                retryAfter: .seconds(300)
            )
            _ = tell(.ended(successor, .refused(refusal)))
            let start = now
            if isSilent {
                while machine.state.isConnected, !turnToDeadline().isEmpty {}
            } else {
                #expect(connects(tell(.ended(id, .unreachable), after: .seconds(30))).isEmpty)
            }
            guard case .deferred(refusal, let until) = machine.state else {
                Issue.record("expected to be deferred, found \(machine.state)")
                return
            }
            #expect(until - start >= .seconds(300))
        }
    }

    /// A refusal that stands also keeps further attempts beside the session from being made sooner than at its pace, until
    /// there is a new credential.
    @Test mutating func whatIsRefusedIsNotAskedForSoonerByASuccessor() throws {
        let (id, successor) = try openSuccessor()
        _ = tell(.opened(successor, .allowed))
        let refusal = Self.refusal(.tokenMissing)
        _ = tell(.ended(successor, .refused(refusal)))
        #expect(live(for: .seconds(299)).isEmpty)
        #expect(connects(tell(.wake(after: .zero))).isEmpty)
        // A new credential is a reason to ask again.
        #expect(connects(tell(.newCredential)).map(\.path) == [Self.lan])
        let again = try #require(successorAttempts.first)
        _ = tell(.opened(again, .allowed))
        _ = tell(.ended(again, .refused(refusal)))
        _ = tell(.ended(id, .unreachable), after: .seconds(60))
        guard case .deferred(refusal, until: _) = machine.state else {
            Issue.record("expected to be refused, found \(machine.state)")
            return
        }
    }

    /// Replacing a session reports that the new one answers, and not that the old one has ended, since both belong to
    /// the same gateway.
    @Test mutating func aHandOverIsNoEndOfLife() throws {
        let (session, successor) = try openSuccessor()
        _ = tell(.opened(successor, .allowed))
        let actions = tell(.granted(successor, tick: nil))
        #expect(actions.contains(.liveness(successor, .answering)))
        #expect(!actions.contains(.liveness(session, nil)))
    }
}
