import TestSupport
import Testing

@testable import AgentAPI

/// The places of those who ask an agent.
@Suite struct ConnectionSharesTests {
    private final class Connection {}

    @Test func strangersTakeEachOthersPlaces() {
        var generator = SeededGenerator(seed: 7)
        let all = (0..<200).map { _ in Connection() }
        let names = all.map { ObjectIdentifier($0) }
        var shares = ConnectionShares()
        let gone = names.compactMap { shares.enter(stranger: $0, using: &generator) }
        #expect(gone.count == names.count - ConnectionShares.mostStrangers && Set(gone).count == gone.count)
        #expect(names.count(where: shares.isStranger) == ConnectionShares.mostStrangers)
        // Whoever comes has a place first, and one that shows a token keeps it, whoever comes.
        let known = names[199]
        #expect(shares.isStranger(known) && shares.prove(known) && shares.prove(known) && !shares.isStranger(known))
        #expect(
            names.dropLast().compactMap { shares.enter(stranger: $0, using: &generator) }.allSatisfy { $0 != known }
        )
    }

    /// A stranger that connects in a loop does not push out everybody who is about to show a token: the oldest would go for
    /// certain after as many connections as there are places.
    @Test func aLoopOfStrangersLeavesAChance() {
        var generator = SeededGenerator(seed: 48)
        var shown = 0
        for _ in 0..<200 {
            var shares = ConnectionShares()
            let all = (0...3 * ConnectionShares.mostStrangers).map { _ in Connection() }
            let names = all.map { ObjectIdentifier($0) }
            // The places are all taken, a scraper connects, and as many strangers connect as there are places.
            for name in names.dropFirst().prefix(2 * ConnectionShares.mostStrangers) {
                _ = shares.enter(stranger: name, using: &generator)
            }
            _ = shares.enter(stranger: names[0], using: &generator)
            for name in names.suffix(ConnectionShares.mostStrangers) {
                _ = shares.enter(stranger: name, using: &generator)
            }
            if shares.isStranger(names[0]), shares.prove(names[0]) { shown += 1 }
        }
        // e⁻¹ of them.
        #expect((50...100).contains(shown))
    }

    @Test func thoseWithATokenAreBounded() {
        var generator = SeededGenerator(seed: 7)
        let all = (0...ConnectionShares.most).map { _ in Connection() }
        let names = all.map { ObjectIdentifier($0) }
        var shares = ConnectionShares()
        for name in names.dropLast() {
            #expect(shares.enter(stranger: name, using: &generator) == nil && shares.prove(name))
        }
        let last = names[ConnectionShares.most]
        #expect(shares.enter(stranger: last, using: &generator) == nil && !shares.prove(last))
        #expect(shares.enter(known: last) == false)
        shares.leave(names[0])
        #expect(shares.prove(last) == true)
    }
}
