/// The number of an object in its session; never used twice.
struct ObjectID: Hashable, Sendable {
    let rawValue: Int
}
