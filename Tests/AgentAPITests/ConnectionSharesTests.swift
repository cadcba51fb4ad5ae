import Testing

@testable import AgentAPI

/// The places of those who ask an agent.
@Suite struct ConnectionSharesTests {
    private final class Connection {}

    @Test func strangersTakeEachOthersPlaces() {
        let all = (0..<100).map { _ in Connection() }
        let names = all.map { ObjectIdentifier($0) }
        var shares = ConnectionShares()
        let gone = names.compactMap { shares.enter(stranger: $0) }
        #expect(gone == Array(names.dropLast(ConnectionShares.mostStrangers)))
        // One that shows a token keeps its place, whoever comes.
        let known = names[99]
        #expect(shares.isStranger(known) && shares.prove(known) && shares.prove(known) && !shares.isStranger(known))
        #expect(names.dropLast().compactMap { shares.enter(stranger: $0) }.allSatisfy { $0 != known })
    }

    @Test func thoseWithATokenAreBounded() {
        let all = (0...ConnectionShares.most).map { _ in Connection() }
        let names = all.map { ObjectIdentifier($0) }
        var shares = ConnectionShares()
        for name in names.dropLast() { #expect(shares.enter(stranger: name) == nil && shares.prove(name)) }
        let last = names[ConnectionShares.most]
        #expect(shares.enter(stranger: last) == nil && !shares.prove(last))
        #expect(shares.enter(known: last) == false)
        shares.leave(names[0])
        #expect(shares.prove(last) == true)
    }
}
