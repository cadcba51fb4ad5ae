import Scanning
import Testing

@testable import Agent

/// Names are looked up again when what they led to misses, and now and then while it does.
@Suite struct NameLooksTests {
    private let start = ContinuousClock.now

    @Test func aNameIsLookedUpAgainWhenWhatItLedToMisses() throws {
        let name = try ProbeAddress("home.test:3000")
        var looks = NameLooks()
        func look(after seconds: Int, _ answers: Bool?) -> Bool {
            let (due, next) = looks.look([name], at: start + .seconds(seconds)) { _ in answers }
            #expect((next == nil) == (answers == true))
            return due == [name]
        }
        // Without an address, every half minute.
        #expect(look(after: 0, nil) && !look(after: 29, nil) && look(after: 30, nil))
        // It leads somewhere where nobody was asked yet.
        #expect(!look(after: 31, false))
        #expect(!look(after: 32, true) && !look(after: 1_000, true))
        // At once, and then every minute.
        #expect(look(after: 1_001, false) && !look(after: 1_002, false) && !look(after: 1_060, false))
        #expect(look(after: 1_061, false))
        #expect(!look(after: 1_062, true))
        // Another one begins anew.
        #expect(looks.look([], at: start) { _ in nil }.due.isEmpty)
        #expect(look(after: 1_063, false))
    }
}
