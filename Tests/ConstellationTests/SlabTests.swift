import TestSupport
import Testing

@testable import Constellation

/// The slab, an array of reusable slots with an index by key.
@Suite struct SlabTests {
    /// A value whose hash collides with that of many others, so that the index has to probe.
    private struct Value: SlabValue {
        struct Key: Hashable {
            let number: Int

            func hash(into hasher: inout Hasher) { hasher.combine(number % 7) }
        }

        let key: Key
        var text: String?

        mutating func vacate() { text = nil }
    }

    /// A slab and a dictionary contain the same values after any sequence of insertions, changes and removals.
    @Test func itFindsWhatADictionaryFinds() {
        var random = SeededGenerator.forFuzzing("slab")
        var slab = Slab<Value>()
        var dictionary: [Value.Key: String] = [:]
        for step in 0..<20_000 {
            let key = Value.Key(number: Int(random.next() % 50))
            if let slot = slab.slot(of: key) {
                #expect(slab[slot].text == dictionary[key])
                if random.next() % 2 == 0 {
                    slab.remove(slot)
                    // A removed value can still be read until the slot is reclaimed.
                    #expect(slab[slot].text == dictionary.removeValue(forKey: key))
                    if random.next() % 3 == 0 { slab.reclaim() }
                } else {
                    slab[slot].text = "\(step)"
                    dictionary[key] = "\(step)"
                }
            } else {
                #expect(dictionary[key] == nil)
                let slot = slab.insert(Value(key: key, text: "\(step)"))
                #expect(slab.slot(of: key) == slot)
                dictionary[key] = "\(step)"
            }
            guard slab.count == dictionary.count else {
                Issue.record("step \(step): \(slab.count) for \(dictionary.count)")
                return
            }
        }
        #expect(Set(slab.slots.map { slab[$0].key }) == Set(dictionary.keys))
    }

    /// The slot of a removed value is emptied and used again once it was reclaimed, and not earlier.
    @Test func slotsAreEmptiedAndReused() {
        var slab = Slab<Value>()
        let first = slab.insert(Value(key: Value.Key(number: 1), text: "a"))
        slab.remove(first)
        let second = slab.insert(Value(key: Value.Key(number: 2), text: "b"))
        #expect(first != second)
        slab.reclaim()
        #expect(slab[first].text == nil)
        #expect(slab.insert(Value(key: Value.Key(number: 3), text: "c")) == first)
    }

    /// What a flood has filled is given back once it is gone, and what stays is found where it was.
    @Test func theMemoryOfAFloodIsGivenBack() {
        struct Numbered: SlabValue {
            let key: Int

            mutating func vacate() {}
        }
        var slab = Slab<Numbered>()
        let slots = (0..<20_000).map { slab.insert(Numbered(key: $0)) }
        let staying = slots.prefix(10)
        for slot in slots.dropFirst(10) {
            slab.remove(slot)
            slab.reclaim()
        }
        #expect(slab.slotCount < 1_000)
        #expect(!slab.holds(slots[19_999]) && slab.holds(slots[9]))
        for (number, slot) in staying.enumerated() { #expect(slab.slot(of: number) == slot) }
        let more = (100..<3_000).map { slab.insert(Numbered(key: $0)) }
        #expect(Set(more + staying).count == 2_910)
        #expect(more.allSatisfy { slab.slot(of: slab[$0].key) == $0 })
    }
}
