internal import Scanning

/// The thing that the user wants to have probed: an address, or a gateway by the name that `scan` shows.
enum ProbeSubject: Hashable, Sendable {
    /// The place where it is.
    case address(ProbeAddress)

    /// The name that it is called by.
    case name(String)

    /// The longest name that is looked for, in bytes.
    private static let longestName = 255

    /// Reads what was typed. What looks like an address and is none is an error: it would be found under no name.
    init(_ text: String) throws(ArgumentProblem) {
        if Self.isName(text) {
            self = .name(text)
            return
        }
        do throws(ProbeAddressProblem) {
            self = .address(try ProbeAddress(text))
        } catch {
            throw ArgumentProblem(error.description)
        }
    }

    /// Indicates whether it can only be a name: with a space or a letter that no address has, or without anything that an
    /// address has beside letters.
    private static func isName(_ text: String) -> Bool {
        guard (1...longestName).contains(text.utf8.count), !text.contains("://") else { return false }
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), scalars.contains(where: { $0 != " " })
        else { return false }
        if scalars.contains(where: { $0 == " " || !$0.isASCII }) { return true }
        return !scalars.contains { ".:/@[]?#%".unicodeScalars.contains($0) }
    }
}
