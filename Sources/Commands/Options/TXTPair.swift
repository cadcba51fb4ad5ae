/// One more entry of a TXT record, as given on the command line: `key=value`, or `key` for a key without a value.
struct TXTPair: Hashable, Sendable {
    let key: String
    let value: String?

    /// Reads what was typed. Whether the key may be used is decided by the record.
    init(_ text: String) throws(ArgumentProblem) {
        guard let separator = text.firstIndex(of: "=") else {
            guard !text.isEmpty else { throw ArgumentProblem("A TXT entry looks like key=value.") }
            self.key = text
            self.value = nil
            return
        }
        guard separator != text.startIndex else {
            throw ArgumentProblem("A TXT entry looks like key=value; the key is missing.")
        }
        self.key = String(text[..<separator])
        self.value = String(text[text.index(after: separator)...])
    }
}
