import DNSSD
import TestSupport
import Testing

@Suite struct OrderedNamesTests {
    /// Random insertions and removals give the same result as in a plain array.
    @Test func namesStayInTheOrderInWhichTheyCame() throws {
        var random = SeededGenerator.forFuzzing("ordered names")
        var names = OrderedNames()
        var expected: [DomainName] = []
        for _ in 0..<TestCases.count(5_000) {
            let name = try DomainName(escaped: "n\(random.next() % 200).local")
            switch random.next() % 400 {
            case 0:
                #expect(names.takeAll() == expected)
                expected = []
            case 1...210:
                names.insert(name)
                if !expected.contains(name) { expected.append(name) }
            default:
                names.remove(name)
                expected.removeAll { $0 == name }
            }
            #expect(names.isEmpty == expected.isEmpty)
            if random.next() % 8 == 0 { #expect(Array(names) == expected) }
        }
    }

    /// A name that is removed and inserted again comes last.
    @Test func aRemovedNameLosesItsPlace() throws {
        let (one, other) = (try DomainName(escaped: "one.local"), try DomainName(escaped: "other.local"))
        var names = OrderedNames()
        for name in [one, other, one] { names.insert(name) }
        #expect(Array(names) == [one, other])
        names.remove(one)
        names.insert(one)
        #expect(Array(names) == [other, one])
    }
}
