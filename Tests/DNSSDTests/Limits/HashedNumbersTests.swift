import Testing

@testable import DNSSD

/// The table of numbers by the hashes of their keys.
@Suite struct HashedNumbersTests {
    /// Keys that have the same hash, and numbers that have several, are told apart: strangers choose the keys.
    @Test func numbersAreFoundByEachOfTheirHashes() {
        var table = HashedNumbers()
        var model: Set<[UInt32]> = []
        for step in 0..<4_000 {
            // Few hashes, of which many begin at the same place.
            let (hash, number) = (UInt32(step * 7 % 13) << 8, UInt32(step * 11 % 17))
            if step % 3 != 0 {
                if model.insert([hash, number]).inserted { table.insert(hash, number) }
            } else {
                model.remove([hash, number])
                table.remove(hash, number)
            }
            #expect(table.count == model.count)
        }
        for hash in (0..<13).map({ UInt32($0) << 8 }) {
            var found: Set<UInt32> = []
            _ = table.first(hash) { number in
                found.insert(number)
                return false
            }
            #expect(found == Set(model.filter { $0[0] == hash }.map { $0[1] }))
        }
    }
}
