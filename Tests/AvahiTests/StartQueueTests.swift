import DNSSD
import Testing

@testable import Avahi

@Suite struct StartQueueTests {
    private var queue = StartQueue()

    private func watch(_ number: Int, _ type: RecordType) -> AvahiBrowseAction {
        .watch(ObjectID(rawValue: number), name: "x.local", type: type)
    }

    private func browse(_ number: Int) -> AvahiBrowseAction { .browse(ObjectID(rawValue: number), type: "_x._tcp") }

    private mutating func takeAll() -> [Int] {
        var taken: [Int] = []
        while let action = queue.next(mayResolve: true) ?? queue.nextWatch() { taken.append(action.object.rawValue) }
        return taken
    }

    /// The most useful actions come first: browsers, addresses, resolvers, releases of objects, and then watches on
    /// records.
    @Test mutating func whatBringsTheMostGoesFirst() throws {
        let instance = try ServiceInstance(name: "a", type: ServiceType("_x._tcp"))
        queue.add(watch(1, .srv))
        queue.add(watch(2, .txt))
        queue.add(.free(ObjectID(rawValue: 3)))
        queue.add(.resolve(ObjectID(rawValue: 4), instance, on: AvahiPath(interface: 2, family: .ipv4)))
        queue.add(watch(5, .aaaa))
        queue.add(watch(6, .a))
        queue.add(browse(7))
        #expect(takeAll() == [7, 5, 6, 4, 3, 1, 2])
        #expect(queue.isEmpty)
    }

    /// Resolvers that may not start yet do not delay later actions.
    @Test mutating func resolversWaitForTheirTurnAndHoldNothingElseUp() throws {
        let instance = try ServiceInstance(name: "a", type: ServiceType("_x._tcp"))
        queue.add(.resolve(ObjectID(rawValue: 1), instance, on: AvahiPath(interface: 2, family: .ipv4)))
        queue.add(.free(ObjectID(rawValue: 2)))
        #expect(queue.next(mayResolve: false)?.object.rawValue == 2)
        #expect(queue.next(mayResolve: false) == nil)
        #expect(!queue.isEmpty)
        #expect(takeAll() == [1])
    }

    @Test mutating func whatIsRemovedIsNotMade() {
        for number in 0..<4 { queue.add(watch(number, .srv)) }
        #expect(queue.remove(ObjectID(rawValue: 1)) == true)
        #expect(queue.remove(ObjectID(rawValue: 1)) == false)
        #expect(queue.remove(ObjectID(rawValue: 9)) == false)
        #expect(takeAll() == [0, 2, 3])
        #expect(queue.remove(ObjectID(rawValue: 0)) == false)
    }

    /// An action that could not be carried out and was put back comes before all others.
    @Test mutating func whatIsPutBackIsNext() {
        queue.add(watch(1, .srv))
        queue.add(watch(2, .srv))
        guard let first = queue.nextWatch() else { return }
        queue.add(browse(3))
        queue.putBack(first)
        #expect(takeAll() == [1, 3, 2])
    }

    @Test mutating func whatIsPutBackCanBeRemoved() {
        queue.add(watch(1, .srv))
        guard let first = queue.nextWatch() else { return }
        queue.putBack(first)
        #expect(queue.remove(ObjectID(rawValue: 1)) == true)
        #expect(queue.isEmpty)
        #expect(takeAll().isEmpty)
    }
}
