import DNSSD
import TestSupport
import Testing

@testable import Discovery

@Suite struct RecordSlotsTests {
    /// Random insertions and removals give the same result as in a plain array: the set contains each record once,
    /// finds it, and returns the record that a removal moved, while it grows from empty to large and shrinks again.
    @Test func itAgreesWithAPlainModel() throws {
        var generator = SeededGenerator.forFuzzing("RecordSlotsTests")
        var set = RecordSlots.empty
        var records: [CachedRecord?] = []
        var model: [Int] = []
        for step in 0..<2_000 {
            // The set grows and shrinks in turn, so that it crosses the size above which it uses a table.
            let isGrowing = model.isEmpty || generator.next() % 20 < (step / 100 % 2 == 0 ? 12 : 8)
            if isGrowing {
                let data = DNSRecordData.a(UInt32(step))
                let position = set.insert(records.count, data, in: records)
                try #require(position == model.count)
                model.append(records.count)
                records.append(record(data, at: position))
            } else {
                let position = Int(generator.next() % UInt64(model.count))
                let victim = try #require(records[model[position]])
                let moved = set.remove(victim.data, at: position)
                records[model[position]] = nil
                model.swapAt(position, model.count - 1)
                model.removeLast()
                try #require(moved == (position < model.count ? model[position] : nil))
                try #require(set.slot(of: victim.data, in: records) == nil)
            }
            try #require(Array(set) == model)
            try #require(set.count == model.count)
            for slot in model {
                let data = try #require(records[slot]?.data)
                try #require(set.slot(of: data, in: records) == slot)
            }
        }
    }

    /// The memory of a cached record and of a set is limited, since a flood can fill the cache with 65,536 records in
    /// as many sets.
    @Test func recordsAndSetsAreSmall() {
        #expect(MemoryLayout<CachedRecord?>.stride <= 128)
        #expect(MemoryLayout<RecordSlots>.stride <= 8)
    }

    private func record(_ data: DNSRecordData, at position: Int) -> CachedRecord {
        var generator = SeededGenerator(seed: 1)
        return CachedRecord(
            source: PacketSource(.v4(IPv4Address(bits: 1))),
            data: data,
            position: UInt32(position),
            name: .root,
            lifetime: RecordLifetime(ttl: 120, now: .now, using: &generator)
        )
    }
}
