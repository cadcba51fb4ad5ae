import Testing

@testable import Console

@Suite struct SpellingSuggestionTests {
    /// A mistyped verb is answered with the nearest one; a text that resembles none gets no suggestion.
    @Test(arguments: [
        ("scna", "scan"), ("wacth", "watch"), ("SCAN", "scan"), ("gatway", "gateway"), ("advertize", "advertise"),
        ("prob", "probe"), ("list", nil), ("", nil), (String(repeating: "x", count: 1_000), nil),
    ])
    func theNearestVerbIsSuggested(typed: String, meant: String?) {
        let verbs = ["scan", "watch", "probe", "advertise", "gateway", "help"]
        #expect(SpellingSuggestion.nearest(to: typed, among: verbs) == meant)
    }
}
