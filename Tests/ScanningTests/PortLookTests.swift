import Testing

@testable import Scanning

/// A look at many hosts says how far it is, up to its end.
@Suite struct PortLookTests {
    @Test(arguments: [(0, []), (2, [0, 2]), (4, [0, 2, 4]), (5, [0, 2, 4, 5])] as [(Int, [Int])])
    func theNumberOfHostsIsToldToTheEnd(_ hosts: Int, _ expected: [Int]) async {
        let look = PortLook(atOnce: 2, limit: .seconds(1))
        var told: [Int] = []
        let found = await look.open(at: Array(repeating: [], count: hosts)) { told.append($0) }
        #expect(found.isEmpty && told == expected)
    }
}
