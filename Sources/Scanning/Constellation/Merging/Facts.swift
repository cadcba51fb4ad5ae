internal import DNSSD

/// The values of one kind, by their identifiers: each identifier has one, blank as long as nothing is known of it.
struct Facts<Key: Hashable & Sendable, Value: Fact>: Sendable {
    /// The values, each in an array of its own: there it is read and changed in place, where a dictionary would copy it.
    private var values: [Key: [Value]] = [:]
    private let blank = [Value()]

    /// The number of values that are there.
    var count: Int { values.count }

    /// The identifiers that have a value, in no particular order.
    var keys: Dictionary<Key, [Value]>.Keys { values.keys }

    /// The value of an identifier. A change adds one that was not there.
    subscript(key: Key) -> Value {
        _read { yield values[key, default: blank][0] }
        _modify { yield &values[key, default: [Value()]][0] }
    }

    /// Returns an identifier as it was first written, if it has a value: names that differ in case are one name.
    func known(_ key: Key) -> Key? { values.index(forKey: key).map { values.keys[$0] } }

    /// Adds a blank value, unless there is one.
    ///
    /// - Returns: The identifier as it was first written.
    mutating func insert(_ key: Key) -> Key {
        if let known = known(key) { return known }
        values[key] = [Value()]
        return key
    }

    mutating func remove(_ key: Key) { values[key] = nil }

    /// Gives memory back if nearly all of it is unused.
    mutating func giveBackRoom() { values.giveBackRoom() }
}

/// The facts that are known of something.
protocol Fact: Sendable {
    /// Creates a fact of something of which nothing is known.
    init()
}
