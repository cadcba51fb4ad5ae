import GatewayProtocol
import Scanning
import Testing

@testable import Agent
@testable import Pairing

/// The troubles that stand in the way of sessions: the user is told of those that only a person can end.
@Suite struct TroubleTests {
    private static func session(_ state: SessionState) throws -> ShownSession {
        let pairing = StoredPairing(
            gatewayID: "fingerprint:home",
            fingerprint: nil,
            name: "Home",
            dialect: .openClaw,
            trust: .certified(host: "home.example"),
            endpoints: [],
            pairedAt: 1
        )
        return SessionSnapshot(
            id: CredentialID(),
            stored: pairing,
            bots: [],
            state: state,
            path: nil,
            latency: nil,
            since: .now
        ).shown(isSealed: false)
    }

    private static func waiting(_ reason: SessionRefusal.Reason) throws -> ShownSession {
        let refusal = SessionRefusal(dialect: .openClaw, reason: reason, credential: .deviceToken)
        return try session(.deferred(refusal, until: .now + .seconds(30)))
    }

    @Test(arguments: [
        SessionRefusal.Reason.notApproved, .roleUpgrade, .scopeUpgrade, .metadataUpgrade, .rateLimited, .notPaired,
        .pairingExpired, .hungUp,
    ])
    func whatWaitsForAPersonIsRefused(reason: SessionRefusal.Reason) throws {
        #expect(Trouble.all(nil, [try Self.waiting(reason)]) == [.refused])
    }

    @Test(arguments: [
        SessionRefusal.Reason.starting, .restarting, .silent, .closed, .failed, .slow, .tooLarge, .refused,
    ])
    func whatTakesItsTimeIsNoTrouble(reason: SessionRefusal.Reason) throws {
        #expect(Trouble.all(nil, [try Self.waiting(reason)]).isEmpty)
    }

    @Test func aTurnThatIsWaitedForIsNoTrouble() throws {
        #expect(Trouble.all(nil, [try Self.session(.queued)]).isEmpty)
    }

    /// The message of a refusal says why, be it one of several sessions, and what takes its time alone is no reason.
    @Test func aRefusalHasItsReason() throws {
        let waiting = SessionRefusal(
            dialect: .openClaw,
            reason: .scopeUpgrade,
            credential: .deviceToken,
            requestID: "request-7"
        )
        let sessions = [
            try Self.waiting(.starting), try Self.session(.deferred(waiting, until: .now + .seconds(30))),
        ]
        let reason = try #require(sessions.refusal)
        #expect(reason.hasPrefix("expected an approval for these scopes"))
        #expect(reason.hasSuffix("openclaw devices approve request-7"))
        #expect(sessions.refusalReason == .scopeUpgrade)
        #expect([try Self.waiting(.starting), try Self.session(.queued)].refusal == nil)
    }

    /// Another session with the gateway proves where it is, and not that this one is let in.
    @Test func oneOfSeveralSessionsIsRefused() throws {
        let refusal = SessionRefusal(dialect: .openClaw, reason: .pairingDenied, credential: .deviceToken)
        let path = SessionPath(
            place: .host("home.example", port: 443),
            reach: .remote,
            policy: .certified(host: "home.example")
        )
        let connected = try Self.session(.connected(path))
        #expect(Trouble.all(nil, [connected, try Self.session(.refused(refusal))]) == [.refused])
        #expect(Trouble.all(nil, [connected, try Self.waiting(.roleUpgrade)]) == [.refused])
        #expect(Trouble.all(nil, [connected, try Self.session(.uncertified)]).isEmpty)
    }

    /// A gateway accepts this device only with a live session: that none is refused is not enough, and neither is one of
    /// several.
    @Test func aGatewayThatAcceptsThisDeviceHasALiveSessionAndRefusesNone() throws {
        let refusal = SessionRefusal(dialect: .openClaw, reason: .pairingDenied, credential: .deviceToken)
        let path = SessionPath(
            place: .host("home.example", port: 443),
            reach: .remote,
            policy: .certified(host: "home.example")
        )
        func isAccepted(_ sessions: ShownSession...) -> Bool {
            sessions.areAccepted(besides: Trouble.all(nil, sessions))
        }
        let connected = try Self.session(.connected(path))
        #expect(isAccepted(connected))
        let (queued, refused) = (try Self.session(.queued), try Self.session(.refused(refusal)))
        let waiting = try Self.waiting(.scopeUpgrade)
        #expect(!isAccepted() && !isAccepted(queued))
        #expect(!isAccepted(connected, refused) && !isAccepted(connected, waiting))
    }
}
