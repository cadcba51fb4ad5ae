/// The number of a session; never used twice.
struct SessionID: Hashable, Sendable {
    let rawValue: Int
}
