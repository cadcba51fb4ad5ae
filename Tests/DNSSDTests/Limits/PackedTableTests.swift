import Testing

@testable import DNSSD

@Suite struct PackedTableTests {
    /// The table has what a dictionary has, whatever is inserted, changed, taken and removed: a probe that got lost
    /// would never begin.
    @Test func itHasWhatADictionaryHas() {
        var table = PackedTable<String, [Int]>()
        var model: [String: [Int]] = [:]
        for step in 0..<2_000 {
            let group = "\(step * 7 % 31)"
            switch step % 5 {
            case 0, 1:
                table[group] = (table[group] ?? []) + [step]
                model[group] = (model[group] ?? []) + [step]
            case 2:
                table[group]?.append(step)
                model[group]?.append(step)
            case 3:
                #expect(table.removeValue(forKey: group) == model.removeValue(forKey: group))
            default:
                guard step % 3 == 0 else { break }
                table[group] = nil
                model[group] = nil
            }
            #expect(table[group] == model[group])
        }
        #expect(table.count == model.count)
        #expect(Set(table.keys) == Set(model.keys))
        for (group, value) in model { #expect(table[group] == value) }
        #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == model)
    }

    /// What a flood has filled is given back, and what is left is still found.
    @Test func aNearlyEmptyTableGivesItsMemoryBack() {
        var table = PackedTable<Int, String>()
        for number in 0..<20_000 { table[number] = "\(number)" }
        for number in 3..<20_000 {
            table[number] = nil
            table.giveBackRoom()
        }
        #expect(table.values.count <= 2 * Room.small && table.values.count == table.storedKeys.count)
        #expect(table.index.entries.count <= 4 * Room.small)
        #expect(table.count == 3 && (0..<3).allSatisfy { table[$0] == "\($0)" })
        for number in 0..<5_000 { table[number] = "new" }
        #expect(table.count == 5_000 && table[4_999] == "new")
    }
}
