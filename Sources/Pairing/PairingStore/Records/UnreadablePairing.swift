internal import DNSSD

/// A pairing with a value that this version cannot decode, as after a downgrade. It is left out of everything, and its
/// rows are neither changed nor deleted: a version that can decode them finds them again.
package struct UnreadablePairing: Hashable, Sendable, CustomStringConvertible {
    /// The path of the database.
    package let path: String

    /// The identifier as it is stored, cleaned for people.
    package let pairing: String

    /// The column of the first such value; `nil` where that is not known.
    package let column: String?

    init(path: String, pairing: String?, column: String?) {
        self.path = path
        self.pairing = pairing.map { DisplayText($0, limit: 64).text } ?? "without a readable identifier"
        self.column = column
    }

    package var description: String {
        let value = column.map { "a value in the column \($0)" } ?? "a value"
        return
            "\(path): the pairing \(pairing) has \(value) that this version cannot read. It is left out, and kept as it is."
    }
}
