import Testing

@testable import Commands

@Suite struct NearestWordTests {
    @Test(arguments: [
        ("scna", "scan"), ("wacth", "watch"), ("SCAN", "scan"), ("gatway", "gateway"), ("advertize", "advertise"),
        ("prob", "probe"), ("list", nil), ("", nil), (String(repeating: "x", count: 1_000), nil),
    ])
    func whatIsMeantIsNear(typed: String, meant: String?) {
        #expect(NearestWord.to(typed, among: ["scan", "watch", "probe", "advertise", "gateway", "help"]) == meant)
    }
}
