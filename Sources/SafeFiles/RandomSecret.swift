/// Secrets that this program makes up.
package enum RandomSecret {
    /// Returns this many random bytes as lower-case hexadecimal digits.
    package static func digits(bytes count: Int) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        // The system's, which nobody can foresee.
        var generator = SystemRandomNumberGenerator()
        return (0..<2 * count).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
    }
}
