/// Secrets that this program makes up.
package enum RandomSecret {
    /// Returns this many random bytes as lower-case hexadecimal digits.
    package static func digits(bytes count: Int) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        // The system's, which nobody can foresee.
        var generator = SystemRandomNumberGenerator()
        return (0..<2 * count).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }
    }

    /// Indicates whether somebody has given a secret.
    package static func matches(_ given: some Collection<UInt8>, _ secret: some Collection<UInt8>) -> Bool {
        guard given.count == secret.count else { return false }
        // Every byte is looked at: the time must not tell how many are right.
        return zip(secret, given).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
