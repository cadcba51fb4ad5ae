import Reports
import Scanning
import Testing

@testable import Commands
@testable import Pairing

/// The name that was meant where `doctor` knows nothing of the one that was typed.
@Suite struct DoctorSuggestionTests {
    private static let events: [BotMapEvent] = [
        .endpointAdded(Rows.endpoint(9), .local),
        .probed(Rows.endpoint(9), Rows.gateway(fingerprint: "a", name: "Home Gateway")),
    ]

    /// A slip in a name is answered with the name that is near, as by every other verb: of a gateway on the network, or of one
    /// that is paired and away.
    @Test func aSlipIsAnswered() throws {
        let rows = Rows.map(Self.events).gateways
        let found = DoctorInquiry.suggestion("Home Gatway", among: rows, .none)
        #expect(found.hasPrefix(" Did you mean ") && found.hasSuffix("?"))
        #expect(
            found == NameSearch.suggestion("Home Gatway", among: PairingSubject.nameables(rows, onlyAnswered: false))
        )
        #expect(DoctorInquiry.suggestion("Something else", among: rows, .none).isEmpty)
        let known = KnownNames(pairings: [try Pairings.pairing("Home Gateway", id: "a")], aliases: [])
        #expect(DoctorInquiry.suggestion("Hom Gateway", among: [], known).hasPrefix(" Did you mean "))
    }

    /// The question stands behind the sentence that nothing is known.
    @Test func theSuggestionIsShown() throws {
        var facts = DiagnosisFacts(word: nil, now: 0)
        facts.suggestion = " Did you mean “Home Gateway”?"
        let sentence = try #require(Diagnosis(facts).findings.first?.sentence)
        #expect(
            sentence.hasPrefix("Nothing of this name is known: ")
                && sentence.hasSuffix("paired. Did you mean “Home Gateway”?")
        )
    }
}
