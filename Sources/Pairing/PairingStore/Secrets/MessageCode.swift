internal import Crypto
internal import DNSSD
internal import FoundationEssentials

/// The code of a message, which nobody makes without the key: HMAC with SHA-256.
package enum MessageCode {
    /// Returns the code in lower-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - key: The key: secret bytes of any number.
    package static func digits(of message: String, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: SymmetricKey(data: key))
        return Array(code).hexadecimal
    }
}
