internal import DNSSD

/// A dictionary by ``AddressGroup`` whose values are large.
///
/// The table of a dictionary is between a quarter and a half empty, and each empty place takes the room of a value.
/// Here it has numbers, and the values are in an array without gaps but those of removed ones.
struct AddressTable<Value> {
    private var numbers: [AddressGroup: UInt32] = [:]
    private var values: [Value?] = []

    /// The numbers whose values were removed.
    private var free: [UInt32] = []

    var count: Int { numbers.count }

    /// The addresses that have a value, in no particular order.
    var groups: some Sequence<AddressGroup> { numbers.keys }

    subscript(group: AddressGroup) -> Value? {
        get { numbers[group].flatMap { values[Int($0)] } }
        _modify {
            if let number = numbers[group] {
                // In place: a copy would also copy the arrays of the value as soon as they change.
                yield &values[Int(number)]
                if values[Int(number)] == nil {
                    numbers[group] = nil
                    free.append(number)
                    numbers.giveBackRoom()
                    values.giveBackRoom(used: numbers.count, free: &free) { $0 == nil }
                }
            } else {
                var value: Value?
                yield &value
                if let value { insert(value, for: group) }
            }
        }
    }

    private mutating func insert(_ value: Value, for group: AddressGroup) {
        let number = free.popLast() ?? UInt32(values.count)
        if Int(number) == values.count { values.append(value) } else { values[Int(number)] = value }
        numbers[group] = number
    }

    /// Removes and returns the value of an address. It can be changed and put back without being copied.
    mutating func take(_ group: AddressGroup) -> Value? {
        guard let number = numbers.removeValue(forKey: group) else { return nil }
        free.append(number)
        defer { values[Int(number)] = nil }
        return values[Int(number)]
    }
}

extension AddressTable: Sendable where Value: Sendable {}
