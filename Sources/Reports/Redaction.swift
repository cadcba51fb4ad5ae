/// The removal of user names and passwords from what is shown of addresses that somebody has typed.
package enum Redaction {
    /// Returns a text that may quote addresses, with or without a scheme, without the user names and passwords in them.
    package static func text(_ text: String) -> String {
        // A mark that combines with the @ does not hide it.
        let secret = /(^|\s)(["'“(\[]*)([A-Za-z][A-Za-z0-9+.\-]*:\/\/)?\S*@/.matchingSemantics(.unicodeScalar)
        return text.replacing(secret) { match in
            "\(match.1)\(match.2)\(match.3 ?? "")…@"
        }
    }

    /// Returns a text that was typed as one address without the user name and the password in it, even if these contain
    /// spaces.
    package static func address(_ text: String) -> String {
        guard let at = text.unicodeScalars.lastIndex(of: "@") else { return text }
        let scheme = text[..<at].prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//)
        return "\(scheme?.output ?? "")…\(text[at...])"
    }
}
