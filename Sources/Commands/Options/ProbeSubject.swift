internal import Scanning

/// The target that the user wants to probe: an address, or the name of a gateway as `scan` shows it.
enum ProbeSubject: Hashable, Sendable {
    /// The address of the gateway.
    case address(ProbeAddress)

    /// The name of the gateway.
    case name(String)

    /// The maximum length of a name, in bytes.
    private static let longestName = 255

    /// Parses the text that was typed. A text that looks like an address but is not valid is an error, and not taken
    /// for a name that would never be found.
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

    /// Indicates whether a text can only be a name: it contains a space or a character outside of ASCII, or none of the
    /// punctuation of an address.
    private static func isName(_ text: String) -> Bool {
        guard (1...longestName).contains(text.utf8.count), !text.contains("://") else { return false }
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), scalars.contains(where: { $0 != " " })
        else { return false }
        if scalars.contains(where: { $0 == " " || !$0.isASCII }) { return true }
        return !scalars.contains { ".:/@[]?#%".unicodeScalars.contains($0) }
    }
}
