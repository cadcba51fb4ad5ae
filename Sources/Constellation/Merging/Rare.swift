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

    /// Indicates whether there is a value.
    var isPresent: Bool { !stored.isEmpty }

    /// Returns a part of the value without copying the rest; `nil` if there is no value.
    func read<Part>(_ part: (Value) -> Part) -> Part? {
        stored.isEmpty ? nil : part(stored[0])
    }

    /// Changes the value in place; the initial one, if there is none yet.
    mutating func change(from initial: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        if stored.isEmpty { stored = [initial()] }
        body(&stored[0])
    }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}
