import DNSSD
import Testing

@testable import Scanning

@Suite struct AddressTableTests {
    private static func group(_ number: UInt32) -> AddressGroup {
        AddressGroup(.v4(IPv4Address(bits: 0x0A00_0000 | number)))
    }

    /// The table has what a dictionary has, whatever is inserted, changed, taken and removed: a probe that got lost
    /// would never begin.
    @Test func itHasWhatADictionaryHas() {
        var table = AddressTable<[Int]>()
        var model: [AddressGroup: [Int]] = [:]
        for step in 0..<2_000 {
            let group = Self.group(UInt32(step * 7 % 31))
            switch step % 5 {
            case 0, 1:
                table[group] = (table[group] ?? []) + [step]
                model[group] = (model[group] ?? []) + [step]
            case 2:
                table[group]?.append(step)
                model[group]?.append(step)
            case 3:
                #expect(table.take(group) == model.removeValue(forKey: group))
            default:
                guard step % 3 == 0 else { break }
                table[group] = nil
                model[group] = nil
            }
            #expect(table[group] == model[group])
        }
        #expect(table.count == model.count)
        #expect(Set(table.groups) == Set(model.keys))
        for (group, value) in model { #expect(table[group] == value) }
    }
}
