import Testing

@testable import DNSSD

/// The memory of tables that a flood has filled.
@Suite struct RoomTests {
    /// Dictionaries and sets keep what is in them, and little more.
    @Test func nearlyEmptyTablesGiveTheirMemoryBack() {
        var dictionary = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, "\($0)") })
        var set = Set(0..<20_000)
        for number in 3..<20_000 {
            dictionary[number] = nil
            dictionary.giveBackRoom()
            set.remove(number)
            set.giveBackRoom()
        }
        #expect(dictionary == [0: "0", 1: "1", 2: "2"] && dictionary.capacity <= 2 * Room.small)
        #expect(set == [0, 1, 2] && set.capacity <= 2 * Room.small)
    }

    /// Empty places at the end of an array go once they are nearly all, in whatever order they became empty; those that are in
    /// use stay where they are.
    @Test(arguments: [true, false]) func emptyPlacesAtTheEndGo(isUpwards: Bool) {
        var places: [Int?] = Array(0..<20_000)
        var free: [Int] = []
        for place in isUpwards ? Array(100..<20_000) : Array((100..<20_000).reversed()) {
            places[place] = nil
            free.append(place)
            places.giveBackRoom(used: places.count - free.count, free: &free) { $0 == nil }
            #expect(places.count >= 100)
        }
        #expect(places.count <= 2 * Room.small)
        #expect(places.prefix(100).compactMap(\.self) == Array(0..<100))
        #expect(Set(free) == Set(100..<places.count))
    }

    /// What is well filled, or small, is left alone.
    @Test func otherTablesAreLeftAlone() {
        var full = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, 0) })
        let capacity = full.capacity
        full.giveBackRoom()
        #expect(full.capacity == capacity)
        var small = Set<Int>(minimumCapacity: 500)
        let room = small.capacity
        small.giveBackRoom()
        #expect(small.capacity == room)
    }
}
