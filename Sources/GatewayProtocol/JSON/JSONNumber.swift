/// A JSON number exactly as it was written, so that no digit is lost when it is written again.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The text of the number, in the grammar of RFC 8259 §6.
    public let literal: String

    /// The limit up to which every reader of JSON agrees on whole numbers (RFC 8259 §6).
    private static let safeLimit = 9_007_199_254_740_991.0

    /// Creates a number from an integer.
    public init(_ value: Int) {
        self.literal = String(value)
    }

    /// Makes a number from thousandths, written as a decimal fraction without trailing zeros: 12,340 is `12.34`.
    public init(thousandths value: Int) {
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = rest == 0 ? "" : String(String(1_000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        self.literal = "\(value < 0 ? "-" : "")\(whole)\(digits.isEmpty ? "" : ".\(digits)")"
    }

    /// - Parameter literal: Text that is known to follow the grammar.
    init(checkedLiteral literal: String) {
        self.literal = literal
    }

    /// The number, if it is whole and an `Int` holds it exactly; `1.0` and `1e3` count as whole below 2⁵³.
    public var int: Int? {
        if let value = Int(literal) { return value }
        guard let value = Double(literal), value.magnitude <= Self.safeLimit else { return nil }
        return Int(exactly: value)
    }

    /// The nearest floating-point number; `nil` when it is beyond the range of `Double`.
    public var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }

    public var description: String { literal }
}
