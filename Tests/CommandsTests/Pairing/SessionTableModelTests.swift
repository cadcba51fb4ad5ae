import DNSSD
import GatewayProtocol
import GatewayReports
import PairingReports
import PairingStore
import Testing

@testable import Commands
@testable import Connections

/// Each change of a session is reported once, and events that change nothing worth reporting are left out.
@Suite struct SessionTableModelTests {
    private let pairings: [StoredPairing]

    init() throws {
        pairings = try Pairings.home()
    }

    private func session(_ state: SessionState, latency: Duration? = nil, of index: Int = 0) -> SessionSnapshot {
        SessionSnapshot(
            id: pairings[index].credentials[0].id,
            stored: pairings[index],
            bots: pairings[index].bots,
            state: state,
            path: nil,
            latency: latency,
            since: .now
        )
    }

    private func take(_ event: ConnectionEvent, _ table: inout SessionTableModel) -> [String] {
        table.take(event, isSealed: false).map { "\($0.pairing.name): \($0.state.rawValue)" }
    }

    @Test func aChangeIsToldOnce() {
        var table = SessionTableModel()
        #expect(take(.snapshot([session(.idle), session(.stopped, of: 1)]), &table).count == 2)
        #expect(take(.changed(session(.connecting)), &table) == ["Home Gateway: connecting"])
        #expect(take(.changed(session(.authenticating)), &table) == [])
        #expect(take(.changed(session(.moved(.address))), &table) == ["Home Gateway: moved"])
        #expect(take(.changed(session(.moved(.address), latency: .milliseconds(1))), &table) == [])
        #expect(take(.changed(session(.moved(.router))), &table) == ["Home Gateway: moved"])
    }

    /// The end of a revoked session is not reported again when the session is removed.
    @Test func whatIsRevokedIsNotToldAgainAsGone() throws {
        let refusal = SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)
        var table = SessionTableModel()
        _ = take(.snapshot([session(.idle), session(.idle, of: 1)]), &table)
        #expect(take(.changed(session(.revoked(refusal))), &table) == ["Home Gateway: revoked"])
        #expect(take(.removed(pairings[0].credentials[0].id), &table) == [])
        #expect(take(.removed(pairings[1].credentials[0].id), &table) == ["Studio: disconnected"])
        #expect(table.entries.isEmpty)
    }

    /// A snapshot replaces all entries: a reader that was too slow for the changes gets reports of the sessions that
    /// have ended meanwhile.
    @Test func aSnapshotTakesThePlaceOfWhatWas() {
        var table = SessionTableModel()
        _ = take(.snapshot([session(.idle), session(.idle, of: 1)]), &table)
        #expect(take(.snapshot([session(.idle)]), &table) == ["Studio: disconnected"])
    }

    @Test(
        arguments: [
            (.stopped, "disconnected"), (.idle, "disconnected"), (.waiting(until: .now), "disconnected"),
            (.held(nil), "held-elsewhere"), (.moved(.prefix), "moved"), (.failed("no"), "disconnected"),
        ] as [(SessionState, String)]
    )
    func statesHaveTheirWords(state: SessionState, word: String) {
        let entry = SessionEntry(session(state), isSealed: false)
        #expect(entry.state.rawValue == word)
        #expect(SessionEntry(session(.failed("no")), isSealed: true).state == .sealed)
    }

    @Test func aTableShowsWhy() {
        let entry = SessionEntry(session(.moved(.address)), isSealed: false)
        let lines = SessionTable.lines([entry], width: 60, style: Style(isOn: false))
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("Home Gateway  moved"))
        #expect(lines[2].contains("another address"))
    }
}
