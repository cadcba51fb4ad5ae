import DNSSD
import TestSupport
import Testing

@Suite struct SourceLedgerTests {
    private func source(_ number: UInt32) -> PacketSource { PacketSource(.v4(IPv4Address(bits: number))) }

    /// The newest instance of the source with the most instances is the one to be dropped.
    @Test func theNewestOfTheHighestIsNamed() throws {
        var generator = SeededGenerator(seed: 1)
        var ledger = SourceLedger<DomainName, PacketSource>()
        for name in ["a", "b", "c"] { ledger.insert(try DomainName(escaped: name), from: source(1)) }
        ledger.insert(try DomainName(escaped: "d"), from: source(2))
        #expect(ledger.newestOfHighest(using: &generator) == (try DomainName(escaped: "c")))
        ledger.remove(try DomainName(escaped: "c"))
        ledger.remove(try DomainName(escaped: "a"))
        ledger.insert(try DomainName(escaped: "e"), from: source(2))
        #expect(ledger.newestOfHighest(using: &generator) == (try DomainName(escaped: "e")))
        #expect(ledger.count == 3)
    }

    /// Random insertions and removals give the same result as in a plain array.
    @Test func itAgreesWithAPlainModel() throws {
        var generator = SeededGenerator.forFuzzing("itAgreesWithAPlainModel")
        var ledger = SourceLedger<DomainName, PacketSource>()
        var model: [(name: DomainName, source: PacketSource)] = []
        for step in 0..<1_000 {
            if model.isEmpty || generator.next() % 5 < 3 {
                let name = try DomainName(escaped: "n\(step)")
                let source = source(UInt32(generator.next() % 12))
                ledger.insert(name, from: source)
                model.append((name, source))
            } else {
                let index = Int(generator.next() % UInt64(model.count))
                ledger.remove(model.remove(at: index).name)
            }
            let counts = Dictionary(grouping: model) { $0.source }.mapValues(\.count)
            try #require(ledger.count == model.count)
            try #require(ledger.highestCount == counts.values.max() ?? 0)
            let highest = counts.filter { $0.value == ledger.highestCount }.keys
            let newest = highest.compactMap { source in model.last { $0.source == source }?.name }
            let named = ledger.newestOfHighest(using: &generator)
            try #require(named.map { newest.contains($0) } ?? model.isEmpty)
        }
    }
}
