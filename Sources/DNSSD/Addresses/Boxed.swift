/// A value that few addresses and endpoints have, behind a reference: without it they take eight bytes for it.
///
/// With thousands of services, each of which is stored in several places, a few bytes are megabytes.
package final class Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package static func == (lhs: Boxed, rhs: Boxed) -> Bool { lhs === rhs || lhs.value == rhs.value }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
