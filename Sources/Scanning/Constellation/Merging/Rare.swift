/// A value that few instances of a type have. It takes eight bytes in those without it, whatever its size.
///
/// An optional takes the room of its value even while it is `nil`, and a time takes 24 bytes. A forger can make
/// this host keep thousands of endpoints, none of which ever answers.
@propertyWrapper
package struct Rare<Value> {
    /// The value, if there is one.
    private var stored: [Value] = []

    package init() {}

    package var wrappedValue: Value? {
        get { stored.first }
        set {
            guard let newValue else {
                stored = []
                return
            }
            if stored.isEmpty {
                stored = [newValue]
            } else {
                stored[0] = newValue
            }
        }
    }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}
