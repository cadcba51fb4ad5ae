import Testing

@testable import Commands

/// The decision on when freed memory goes back to the system.
@Suite struct CrowdTideTests {
    /// Memory is given back a few times while a crowd goes, and never while it comes, stays, or is small.
    @Test func memoryIsGivenBackWhenHalfOfACrowdHasGone() {
        var tide = CrowdTide()
        var given: [Int] = []
        for count in Array(0...16_384) + Array(0...16_383).reversed() where tide.note(count) { given.append(count) }
        #expect(given == [8_192, 4_096, 2_048, 1_024, 512, 256, 128])
        given = []
        for count in Array(129...200) + Array(0...199).reversed() where tide.note(count) { given.append(count) }
        #expect(given == [])
        for count in [256, 1] where tide.note(count) { given.append(count) }
        #expect(given == [1])
    }
}
