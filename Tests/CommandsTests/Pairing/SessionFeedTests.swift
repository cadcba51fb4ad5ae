import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Commands
@testable import Console
@testable import Pairing

/// Each change of a session is reported once, and events that change nothing worth reporting are left out.
@Suite struct SessionFeedTests {
    private let pairings: [StoredPairing]

    init() throws {
        pairings = try Pairings.home()
    }

    private func session(
        _ state: SessionState,
        latency: Duration? = nil,
        isSealed: Bool = false,
        of index: Int = 0
    ) -> ShownSession {
        SessionSnapshot(
            id: pairings[index].credentials[0].id,
            stored: pairings[index],
            bots: pairings[index].bots,
            state: state,
            path: nil,
            latency: latency,
            since: .now
        )
        .shown(isSealed: isSealed)
    }

    private func snapshot(_ sessions: ShownSession...) async -> ConstellationUpdate {
        let constellation = Constellation()
        for session in sessions { await constellation.note(session) }
        return .snapshot(await constellation.snapshot)
    }

    private func changed(_ session: ShownSession) -> ConstellationUpdate {
        .changes([.session(.changed(session))], revision: 0)
    }

    private func take(_ update: ConstellationUpdate, _ feed: inout SessionFeed) -> [String] {
        feed.take(update).map { "\($0.name): \($0.state.rawValue)" }
    }

    /// A gateway that hangs up on its token is shown as one that refuses, although it is asked again: somebody has to look.
    /// One that asks for time is waited for.
    @Test(arguments: [(SessionRefusal.Reason.hungUp, ShownSession.State.refused), (.rateLimited, .waiting)])
    func aRefusalIsShownWhileItIsTriedAgain(reason: SessionRefusal.Reason, state: ShownSession.State) {
        let refusal = SessionRefusal(dialect: .openAgents, reason: reason, credential: .deviceToken)
        let session = session(.deferred(refusal, until: .now + .seconds(60)))
        #expect(session.state == state && session.reason?.isEmpty == false)
    }

    @Test func aChangeIsToldOnce() async {
        var feed = SessionFeed()
        #expect(take(await snapshot(session(.idle), session(.stopped, of: 1)), &feed).count == 2)
        #expect(take(changed(session(.connecting)), &feed) == ["Home Gateway: connecting"])
        #expect(take(changed(session(.authenticating)), &feed) == [])
        #expect(take(changed(session(.moved(.address))), &feed) == ["Home Gateway: moved"])
        #expect(take(changed(session(.moved(.address), latency: .milliseconds(1))), &feed) == [])
        #expect(take(changed(session(.moved(.router))), &feed) == ["Home Gateway: moved"])
    }

    /// The end of a revoked session is not reported again when the session is removed.
    @Test func whatIsRevokedIsNotToldAgainAsGone() async {
        let refusal = SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)
        var feed = SessionFeed()
        _ = take(await snapshot(session(.idle), session(.idle, of: 1)), &feed)
        #expect(take(changed(session(.revoked(refusal))), &feed) == ["Home Gateway: revoked"])
        let lost = [session(.revoked(refusal)), session(.idle, of: 1)].map {
            ConstellationChange.session(.lost($0, .unpaired))
        }
        #expect(take(.changes(lost, revision: 1), &feed) == ["Studio: disconnected"])
        #expect(feed.sessions.isEmpty)
    }

    /// A snapshot replaces all sessions: a reader that was too slow for the changes gets reports of those that have ended
    /// meanwhile.
    @Test func aSnapshotTakesThePlaceOfWhatWas() async {
        var feed = SessionFeed()
        _ = take(await snapshot(session(.idle), session(.idle, of: 1)), &feed)
        #expect(take(await snapshot(session(.idle)), &feed) == ["Studio: disconnected"])
    }

    @Test(
        arguments: [
            (.stopped, "disconnected"), (.idle, "gone"), (.waiting(until: .now), "gone"),
            (.held(nil), "held-elsewhere"), (.moved(.prefix), "moved"), (.failed("no"), "disconnected"),
        ] as [(SessionState, String)]
    )
    func statesHaveTheirWords(state: SessionState, word: String) {
        #expect(session(state).state.rawValue == word)
        #expect(session(.failed("no"), isSealed: true).state == .sealed)
    }

    @Test func aTableShowsWhy() {
        let lines = SessionTable.lines([session(.moved(.address))], width: 60, style: Style(isOn: false))
        #expect(lines[1].hasPrefix("Home Gateway  moved"))
        #expect(lines[2].contains("another address"))
        // Not a word of it is cut.
        let words = lines.dropFirst(2).joined(separator: " ").split(separator: " ").joined(separator: " ")
        let end = "nothing is sent to it. To find out why: clawradar doctor \"Home Gateway\""
        #expect(words.hasSuffix(end), "\(lines)")
    }

    /// `watch` and `connect` end in the command that `status` has: what has lost its TLS is accepted by nothing, and what has
    /// it by now is paired with anew.
    @Test(arguments: [(MoveReason.lostTLS, "doctor"), (.hasTLS, "pair")])
    func aChangeOfTransportHasTheCommandOfStatus(reason: MoveReason, verb: String) throws {
        for (name, word) in [("Attic", "\"Attic\""), ("$(touch canary)", "aaaaaaaa")] {
            var pairing = try Pairings.pairing(name, id: "a")
            if reason == .hasTLS {
                let home = HomeNetwork(
                    prefix: pairing.endpoints[0].address,
                    prefixLength: 24,
                    router: [2, 0, 0, 0, 0, 1],
                    gateway: nil
                )
                pairing.trust = .lan(home)
            }
            let snapshot = SessionSnapshot(
                id: try #require(pairing.credentials.first).id,
                stored: pairing,
                bots: pairing.bots,
                state: .moved(reason),
                path: nil,
                latency: nil,
                since: .now
            )
            let held = HeldSession(
                holder: LockHolder(process: 1, program: "clawradar agent"),
                note: snapshot.note(at: 1, now: .now)
            )
            let command = try #require(PairedStatus(pairing, row: nil, sessions: [held]).command)
            #expect(command == "clawradar \(verb) \(word)")
            let text = try #require(snapshot.shown(isSealed: false).text)
            #expect(text.hasPrefix("\(reason)") && text.hasSuffix(": \(command)"), "\(text)")
        }
    }
}
