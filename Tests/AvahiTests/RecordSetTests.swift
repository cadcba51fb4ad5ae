import Testing

@testable import Avahi

@Suite struct RecordSetTests {
    private var set = RecordSet<Int>(limit: 3)

    /// The record that was inserted last is the current one, and remains so when older ones are removed.
    @Test mutating func theLatestHolds() {
        #expect(set.insert(1) == true)
        #expect(set.insert(2) == true)
        #expect(set.current == 2)
        // The daemon removes the old record a second after the new one.
        #expect(set.remove(1) == true)
        #expect(set.current == 2)
        #expect(set.insert(2) == false)
        #expect(set.remove(1) == false)
    }

    @Test mutating func aFloodReplacesTheOldest() {
        for number in 0..<1_000 { _ = set.insert(number) }
        #expect(set.records == [997, 998, 999])
    }

    /// A hint, which comes from a resolver, is used only until the first record arrives.
    @Test mutating func aHintHoldsUntilARecordComes() {
        set.hint = 9
        #expect(set.current == 9)
        #expect(set.insert(1) == true)
        #expect(set.current == 1)
        #expect(set.remove(1) == true)
        #expect(set.current == nil)
    }

    /// Doubted records stay until they are dropped as unconfirmed, but a confirmed one takes precedence.
    @Test mutating func whatIsInDoubtHoldsUntilSomethingElseIsKnown() {
        _ = set.insert(1)
        _ = set.insert(2)
        set.doubt()
        #expect(set.current == 2)
        #expect(set.insert(1) == true)
        #expect(set.current == 1)
        #expect(set.dropUnconfirmed() == true)
        #expect(set.records == [1])
        #expect(set.dropUnconfirmed() == false)
    }

    /// A doubted record that is inserted again is confirmed, without being reported as a change.
    @Test mutating func whatComesBackIsNoNews() {
        _ = set.insert(1)
        set.doubt()
        #expect(set.insert(1) == false)
        #expect(set.dropUnconfirmed() == false)
        #expect(set.current == 1)
    }
}
