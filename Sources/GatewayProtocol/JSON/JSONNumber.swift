/// A number of JSON exactly as it was written: no digit is lost on the way through.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The digits, as RFC 8259 §6 writes them.
    public let literal: String

    /// The largest whole number that every reader of JSON agrees on (RFC 8259 §6).
    private static let safeLimit = 9_007_199_254_740_992.0

    public init(_ value: Int) {
        self.literal = String(value)
    }

    /// - Parameter literal: Text that is known to follow the grammar.
    init(checkedLiteral literal: String) {
        self.literal = literal
    }

    /// The number if it is whole and an `Int` holds it exactly; `1.0` and `1e3` are whole up to 2⁵³.
    public var int: Int? {
        if let value = Int(literal) { return value }
        guard let value = Double(literal), value.magnitude <= Self.safeLimit else { return nil }
        return Int(exactly: value)
    }

    /// The nearest floating-point number; `nil` when it is larger than any.
    public var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }

    public var description: String { literal }
}
