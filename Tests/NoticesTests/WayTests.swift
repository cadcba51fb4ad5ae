import Testing

@testable import Agent

/// The order of the ways to a gateway.
@Suite struct WayTests {
    @Test func theNearestComesFirstAndNoneBeforeItself() {
        #expect(Way.allCases.reversed().sorted() == Way.allCases)
        for way in Way.allCases { #expect(!(way < way)) }
    }
}
