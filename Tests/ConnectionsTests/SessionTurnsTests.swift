import Testing

@testable import Pairing

/// A gateway has at most 32 sessions, whatever it has issued, and the others take their turns in order.
@Suite struct SessionTurnsTests {
    private let place = SessionTurns.Place.pairing(PairingID())
    private let other = SessionTurns.Place.pairing(PairingID())

    @Test func aGatewayHasSoManySessions() {
        var turns = SessionTurns()
        let credentials = (0..<40).map { _ in CredentialID() }
        let granted = credentials.filter { turns.ask($0, at: place) }
        #expect(granted == Array(credentials.prefix(SessionTurns.most)))
        // Another gateway is not concerned, and asking again changes nothing.
        let hasOther = turns.ask(CredentialID(), at: other)
        let again = [0, 39].map { turns.ask(credentials[$0], at: place) }
        #expect(hasOther && again == [true, false])
    }

    @Test func whoWaitsLongestIsNext() {
        var turns = SessionTurns()
        let credentials = (0..<35).map { _ in CredentialID() }
        for credential in credentials { _ = turns.ask(credential, at: place) }
        // Whoever gives up waiting is passed over.
        let next = [32, 0].map { turns.end(credentials[$0]) }
        #expect(next == [nil, credentials[33]])
        let has = [33, 0].map { turns.ask(credentials[$0], at: place) }
        #expect(has == [true, false])
        // The end of what has no turn gives none to anybody.
        let last = [33, 34, 34].map { turns.end(credentials[$0]) }
        #expect(last == [credentials[34], credentials[0], nil])
    }

    @Test func everyGatewayComesFirstOnce() {
        let (many, few) = ((0..<3).map { _ in CredentialID() }, [CredentialID()])
        let rounds = SessionTurns.rounds(many + few) { few.contains($0) ? other : place }
        #expect(rounds == [[many[0], few[0]], [many[1]], [many[2]]])
    }
}
