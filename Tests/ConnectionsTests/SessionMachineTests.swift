import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// The search for a session: attempts, back-off, refusals, and what people see of it.
@Suite struct SessionMachineTests: MachineScript {
    var machine: SessionMachine<SeededGenerator>
    var now: ContinuousClock.Instant

    init() {
        now = .now
        machine = SessionMachine(generator: SeededGenerator(seed: 1), now: now)
    }

    // MARK: Connecting

    /// A session that is wanted is idle without a path, and is sought as soon as there is one.
    @Test mutating func withoutAWayItIsIdleAndWithOneItConnects() throws {
        _ = tell(.start)
        #expect(machine.state == .idle)
        #expect(machine.deadline == nil)
        let found = connects(tell(.offer(PathOffer(local: [Self.lan]))))
        #expect(found.map(\.path) == [Self.lan])
        #expect(machine.state == .connecting)
    }

    @Test mutating func nothingHappensBeforeItIsStarted() {
        #expect(tell(.offer(PathOffer(local: [Self.lan]))).isEmpty)
        #expect(tell(.wake(after: .zero)).isEmpty)
        #expect(machine.state == .stopped)
    }

    /// The paths on this network have a head start of 1.5 s over the remote one.
    @Test mutating func theRemoteWayIsRacedAfterAHeadStart() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        let start = now
        #expect(connects(tell(.start)).map(\.path) == [Self.lan])
        #expect(connects(turnToDeadline()).map(\.path) == [Self.tunnel])
        #expect(now - start == .milliseconds(1_500))
    }

    /// Another place than that of the pairing is tried only where the gateway does not answer at its own, neither soon
    /// nor late, however often somebody else is sighted; and not before the remote URL, which has a proof.
    @Test mutating func anotherPlaceIsTriedOnlyWhereNothingElseAnswers() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan, Self.elsewhere], remote: [Self.tunnel])))
        let start = now
        let first = try #require(connects(tell(.start)).first)
        #expect(first.path == Self.lan)
        var sought: [SessionPath] = []
        while now - start < .milliseconds(1_500) {
            sought += connects(tell(.wake(after: .zero), after: .milliseconds(500))).map(\.path)
        }
        #expect(sought.contains(Self.tunnel))
        #expect(!sought.contains(Self.elsewhere))
        while !sought.contains(Self.elsewhere), now - start < .seconds(10) {
            sought += connects(turnToDeadline()).map(\.path)
        }
        #expect(now - start == SessionRound.longHeadStart)
    }

    /// It is tried at once where the gateway refuses, as after a change of its address, and left when the gateway is
    /// back at its place.
    @Test mutating func anotherPlaceIsLeftForThatOfThePairing() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan, Self.elsewhere])))
        let first = try #require(connects(tell(.start)).first?.id)
        let second = try #require(connects(tell(.ended(first, .unreachable))).first)
        #expect(second.path == Self.elsewhere)
        _ = tell(.opened(second.id, .allowed))
        _ = tell(.granted(second.id, tick: nil))
        #expect(machine.state == .connected(Self.elsewhere))
        var back: AttemptID?
        for _ in 0..<10 where back == nil { back = connects(turnToDeadline()).first { $0.path == Self.lan }?.id }
        let third = try #require(back)
        _ = tell(.opened(third, .allowed))
        #expect(tell(.granted(third, tick: nil)).contains(.close(second.id, code: 1_000)))
        #expect(machine.state == .connected(Self.lan))
    }

    /// The remote path is tried at once when all paths on this network have failed.
    @Test mutating func theRemoteWayIsTriedAtOnceWhenTheOthersHaveFailed() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan], remote: [Self.tunnel])))
        let id = try #require(connects(tell(.start)).first?.id)
        #expect(connects(tell(.ended(id, .unreachable))).map(\.path) == [Self.tunnel])
    }

    /// The first connection that opens asks for the session, and the others are closed: two that ask would become two
    /// sessions.
    @Test mutating func theFirstThatOpensAsksAndTheOthersAreClosed() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan, Self.path(2)])))
        let first = try #require(connects(tell(.start)).first?.id)
        let second = try #require(connects(turnToDeadline()).first?.id)
        let actions = tell(.opened(second, .allowed))
        #expect(actions.contains(.authenticate(second)))
        #expect(actions.contains(.close(first, code: 1_000)))
        #expect(machine.state == .authenticating)
        #expect(tell(.opened(first, .allowed)).isEmpty)
    }

    /// A peer that the trust policy does not allow gets no token.
    @Test mutating func noTokenGoesToOneThatMayNotHaveIt() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let id = try #require(connects(tell(.start)).first?.id)
        let actions = tell(.opened(id, .moved(.machine)))
        #expect(actions.contains(.close(id, code: 1_000)))
        #expect(!actions.contains(.authenticate(id)))
        #expect(machine.state == .moved(.machine))
        #expect(tell(.granted(id, tick: nil)).isEmpty)
    }

    /// Another certificate than the pinned one is shown to the user only if it was found where the gateway was proved
    /// last.
    @Test mutating func anotherLeafIsShownOnlyWhereItWasProvedLast() throws {
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 7, count: 32)))
        _ = tell(.offer(PathOffer(local: [Self.lan, Self.path(2)], provedLast: Self.path(2).endpoint)))
        let first = try #require(connects(tell(.start)).first?.id)
        let second = try #require(connects(tell(.ended(first, .wrongLeaf(leaf)))).first?.id)
        #expect(machine.state == .connecting)
        _ = tell(.ended(second, .wrongLeaf(leaf)))
        #expect(machine.state == .changedLeaf(found: leaf))
        // The search for the pinned certificate goes on.
        #expect(!connects(turnToDeadline()).isEmpty)
        #expect(machine.state == .changedLeaf(found: leaf))
    }

    /// A peer without a trusted certificate is shown as uncertified for as long as it answers.
    @Test mutating func uncertifiedPeerIsShownWhileItAnswers() throws {
        _ = tell(.offer(PathOffer(remote: [Self.lan])))
        var id = try #require(connects(tell(.start)).first?.id)
        for _ in 0..<2 {
            _ = tell(.ended(id, .blocked(.refused(.notCertified))))
            #expect(machine.state == .uncertified)
            id = try #require(connects(turnToDeadline()).first?.id)
            #expect(machine.state == .uncertified)
        }
        _ = tell(.ended(id, .unreachable))
        guard case .waiting = machine.state else {
            Issue.record("expected to wait, found \(machine.state)")
            return
        }
        id = try #require(connects(turnToDeadline()).first?.id)
        _ = tell(.opened(id, .allowed))
        _ = tell(.granted(id, tick: nil))
        #expect(machine.state.isConnected)
    }

    // MARK: Back-off

    /// The time between attempts grows up to a maximum, with a random spread, and a wake-up cuts it short.
    @Test mutating func theTimeBetweenAttemptsGrowsAndIsCutShort() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var id = try #require(connects(tell(.start)).first?.id)
        var waits: [Duration] = []
        for _ in 0..<8 {
            _ = tell(.ended(id, .unreachable))
            let start = now
            id = try #require(connects(turnToDeadline()).first?.id)
            waits.append(now - start)
        }
        for (failures, wait) in waits.enumerated() {
            let mean = BackOff.mean(after: failures)
            #expect(mean * 0.8 <= wait && wait <= mean * 1.2)
        }
        #expect(BackOff.mean(after: 0) == .milliseconds(800))
        #expect(BackOff.mean(after: 20) == .seconds(15))
        _ = tell(.ended(id, .unreachable))
        #expect(!connects(tell(.wake(after: .zero), after: .milliseconds(10))).isEmpty)
    }

    /// A path that has refused is tried again at a wake-up although the attempt on another path is still under way: a
    /// gateway that is starting refuses at first, while an old endpoint of it is silent.
    @Test mutating func whatHasRefusedIsTriedAgainWhenItIsSeenWhileOthersAreSilent() throws {
        let silent = Self.path(2)
        _ = tell(.offer(PathOffer(local: [Self.lan, silent])))
        let refusing = try #require(connects(tell(.start)).first?.id)
        #expect(connects(tell(.ended(refusing, .unreachable))).map(\.path) == [silent])
        #expect(connects(tell(.wake(after: .zero), after: .milliseconds(500))).map(\.path) == [Self.lan])
        #expect(connects(tell(.wake(after: .zero), after: .milliseconds(10))).isEmpty, "both paths are being tried")
    }

    /// A thousand forged sightings in ten seconds cause few attempts.
    @Test mutating func forgedSightingsCauseFewAttempts() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        var attempts = connects(tell(.start)).count
        for _ in 0..<1_000 {
            if case .seeking(let round) = machine.phase, let id = round.attempts.first?.id {
                _ = tell(.ended(id, .unreachable))
            }
            attempts += connects(tell(.wake(after: .zero), after: .milliseconds(10))).count
        }
        #expect(attempts < 25)
    }

    /// A wake-up with a delay causes an attempt after this delay.
    @Test mutating func wakeUpsAreSpreadAsTold() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let id = try #require(connects(tell(.start)).first?.id)
        _ = tell(.ended(id, .unreachable))
        let start = now
        #expect(connects(tell(.wake(after: .milliseconds(300)))).isEmpty)
        #expect(!connects(turnToDeadline()).isEmpty)
        #expect(now - start == .milliseconds(300))
    }

    // MARK: Refusals

    /// What refuses is shown to refuse, and is asked again at its pace, whatever is sighted: somebody may have changed
    /// something at the gateway. It is asked at once when the user asks for it, and with a new credential if the former one was
    /// refused.
    @Test(arguments: [
        SessionRefusal.Reason.tokenMissing, .scopeMismatch, .protocolMismatch, .signatureInvalid, .accessDenied,
    ])
    mutating func aRefusalIsAskedAgainAtItsPace(reason: SessionRefusal.Reason) throws {
        var id = try openOne()
        let refusal = Self.refusal(reason)
        let isOfCredential = refusal.rule == .afterNewCredential
        let pace: Duration = isOfCredential ? .seconds(300) : .seconds(60)
        for _ in 0..<4 {
            _ = tell(.ended(id, .refused(refusal)))
            #expect(machine.state.paired == .refused)
            let start = now
            #expect(tell(.wake(after: .zero)).isEmpty)
            #expect(connects(tell(.offer(PathOffer(local: [Self.lan])))).isEmpty)
            let again = turnToDeadline()
            id = try #require(connects(again).first?.id)
            // The attempt is not shown: what refuses does so until it does not.
            #expect(!again.contains { if case .report = $0 { true } else { false } })
            #expect((pace...(pace * 1.2)).contains(now - start))
            _ = tell(.opened(id, .allowed))
        }
        _ = tell(.ended(id, .refused(refusal)))
        #expect(connects(tell(.newCredential)).isEmpty != isOfCredential)
        if !isOfCredential { #expect(!connects(tell(.start)).isEmpty) }
        guard case .seeking(let round) = machine.phase, let last = round.attempts.first?.id else { return }
        _ = tell(.opened(last, .allowed))
        #expect(tell(.granted(last, tick: nil)).contains(.established(last, Self.lan)))
    }

    /// A refusal without a reason may have been about the former credential: a new one is tried at once.
    @Test mutating func aNewCredentialEndsTheWaitAfterARefusalWithoutAReason() throws {
        let id = try openOne()
        let refusal = Self.refusal(.refused)
        _ = tell(.ended(id, .refused(refusal)))
        guard case .deferred(refusal, until: _) = machine.state else {
            Issue.record("expected a wait, found \(machine.state)")
            return
        }
        #expect(connects(tell(.wake(after: .zero))).isEmpty)
        #expect(!connects(tell(.newCredential)).isEmpty)
    }

    private mutating func openOne() throws -> AttemptID {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let id = try #require(connects(tell(.start)).first?.id)
        _ = tell(.opened(id, .allowed))
        return id
    }

    /// A gateway that asks for a wait is not asked before its end, whatever happens in the meantime.
    @Test mutating func aLockOutIsWaitedForWhateverIsSighted() throws {
        let id = try openOne()
        let refusal = SessionRefusal(
            dialect: .openClaw,
            reason: .rateLimited,
            credential: .deviceToken,
            retryAfter: .seconds(200)
        )
        _ = tell(.ended(id, .refused(refusal)))
        let start = now
        #expect(tell(.wake(after: .zero)).isEmpty)
        #expect(tell(.start).isEmpty)
        #expect(!connects(turnToDeadline()).isEmpty)
        #expect(now - start >= .seconds(200))
        #expect(now - start <= .seconds(240))
    }

    /// While an approval is awaited, the session is asked for every 30 to 60 s.
    @Test mutating func approvalIsAskedForEveryHalfToWholeMinute() throws {
        for _ in 0..<20 {
            if case .seeking = machine.phase {} else { _ = tell(.offer(PathOffer(local: [Self.lan]))) }
            if case .stopped = machine.phase { _ = tell(.start) }
            guard case .seeking(let round) = machine.phase else {
                Issue.record("expected a machine that connects, found \(machine.phase)")
                return
            }
            let id = try #require(round.attempts.first?.id)
            _ = tell(.opened(id, .allowed))
            _ = tell(.ended(id, .refused(Self.refusal(.scopeUpgrade))))
            let start = now
            #expect(!connects(turnToDeadline()).isEmpty)
            #expect((Duration.seconds(30)...Duration.seconds(60)).contains(now - start))
        }
    }

    /// A revocation by a peer that may not have the token is ignored: anybody could send it.
    @Test mutating func aRevocationCountsOnlyFromOneThatMayHaveTheToken() throws {
        let refusal = Self.refusal(.notPaired)
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        let stranger = try #require(connects(tell(.start)).first?.id)
        #expect(!tell(.ended(stranger, .refused(refusal))).contains(.revoke(refusal)))
        let id = try #require(connects(turnToDeadline()).first?.id)
        _ = tell(.opened(id, .allowed))
        #expect(tell(.ended(id, .refused(refusal))).contains(.revoke(refusal)))
        #expect(machine.state == .revoked(refusal))
        #expect(connects(tell(.start)).isEmpty)
        // A new credential is a reason to ask again.
        #expect(!connects(tell(.newCredential)).isEmpty)
    }

    /// A gateway that ends the session since the device was removed revokes the credential.
    @Test mutating func aSessionThatIsWithdrawnIsNotSoughtAgain() throws {
        let id = try connect()
        let refusal = Self.refusal(.removed)
        #expect(tell(.ended(id, .refused(refusal)), after: .seconds(60)).contains(.revoke(refusal)))
    }

    /// A gateway that refuses and asks for no wait is asked less and less often, like one that is silent.
    @Test(arguments: [SessionRefusal.Reason.rateLimited, .starting])
    mutating func aGatewayThatAsksForNoTimeIsAskedLessAndLessOften(reason: SessionRefusal.Reason) throws {
        var id = try openOne()
        let refusal = SessionRefusal(
            dialect: .openClaw,
            reason: reason,
            credential: .deviceToken,
            retryAfter: .zero
        )
        for failures in 0..<8 {
            _ = tell(.ended(id, .refused(refusal)))
            let start = now
            id = try #require(connects(turnToDeadline()).first?.id)
            #expect(now - start >= BackOff.mean(after: failures) * 0.8)
            _ = tell(.opened(id, .allowed))
        }
    }

    // MARK: This device

    /// A failure on this device is retried after the back-off, or at a wake-up.
    @Test mutating func localFailuresAreRetried() throws {
        let id = try openOne()
        _ = tell(.ended(id, .failed("sealed")))
        #expect(machine.state == .failed("sealed"))
        let again = try #require(connects(turnToDeadline()).first?.id)
        _ = tell(.opened(again, .allowed))
        _ = tell(.ended(again, .failed("sealed")))
        #expect(!connects(tell(.wake(after: .zero))).isEmpty)
    }

    /// A new credential or a new path makes it try again at once after a failure on this device.
    @Test mutating func aNewCredentialOrAWayIsAReasonToTryAgain() throws {
        let id = try openOne()
        _ = tell(.ended(id, .failed("sealed")))
        let again = try #require(connects(tell(.newCredential)).first?.id)
        _ = tell(.opened(again, .allowed))
        _ = tell(.ended(again, .failed("sealed")))
        #expect(connects(tell(.offer(PathOffer(local: [Self.path(5)])))).map(\.path) == [Self.path(5)])
    }

    /// A session that this process cannot have, for example because the credential could not be locked, is not sought
    /// before it is started again.
    @Test mutating func sessionThatCannotBeHadWaitsForStart() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        _ = tell(.fail("the store is busy"))
        #expect(machine.deadline == nil)
        #expect(connects(tell(.wake(after: .zero))).isEmpty)
        #expect(connects(tell(.newCredential)).isEmpty)
        #expect(!connects(tell(.start)).isEmpty)
    }

    // MARK: What people see

    /// Lets a number of attempts fail, and returns the states that are reported in the meantime.
    private mutating func statesShown(whileFailing count: Int, _ failure: SessionFailure) throws -> [SessionState] {
        var states: [SessionState] = []
        func note(_ actions: [SessionAction]) {
            for case .report(let state) in actions { states.append(state) }
        }
        for _ in 0..<count {
            guard case .seeking(let round) = machine.phase, let id = round.attempts.first?.id else { return states }
            note(tell(.opened(id, .allowed)))
            note(tell(.ended(id, failure)))
            note(turnToDeadline())
        }
        return states
    }

    /// While a gateway is away, its state stays the same, and further attempts are not shown.
    @Test mutating func aGatewayThatIsAwayIsShownAsAwayWhileItIsSought() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        _ = tell(.start)
        let states = try statesShown(whileFailing: 5, .unreachable)
        #expect(states.count == 6 && states.first == .authenticating)
        #expect(states.dropFirst().allSatisfy { if case .waiting = $0 { true } else { false } })
        guard case .seeking(let round) = machine.phase, let id = round.attempts.first?.id else {
            Issue.record("expected a search, found \(machine.phase)")
            return
        }
        _ = tell(.opened(id, .allowed))
        #expect(tell(.granted(id, tick: nil)).contains(.report(.connected(Self.lan))))
        // The end of a session is reported again.
        #expect(tell(.ended(id, .unreachable), after: .seconds(60)).contains(.report(.connecting)))
    }

    /// While an approval is awaited, its state stays the same, and further attempts are not shown.
    @Test mutating func whoWaitsForApprovalIsShownToWait() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        _ = tell(.start)
        let states = try statesShown(whileFailing: 4, .refused(Self.refusal(.scopeUpgrade)))
        #expect(states.dropFirst().allSatisfy { if case .deferred = $0 { true } else { false } })
        #expect(states.count == 5)
    }

    /// After the user has stopped and started a session, the attempt is shown, although the gateway was away before.
    @Test mutating func startByTheUserIsShownAtOnce() throws {
        _ = tell(.offer(PathOffer(local: [Self.lan])))
        _ = tell(.start)
        _ = try statesShown(whileFailing: 2, .unreachable)
        _ = tell(.stop)
        #expect(tell(.start).contains(.report(.connecting)))
    }
}
