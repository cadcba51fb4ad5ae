/// A value that few addresses and endpoints have, behind a reference: without it they take eight bytes for it.
///
/// With thousands of services, each of which is stored in several places, a few bytes are megabytes.
final class Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    static func == (lhs: Boxed, rhs: Boxed) -> Bool { lhs === rhs || lhs.value == rhs.value }

    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
