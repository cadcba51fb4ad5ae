internal import Reports
internal import Scanning

/// A list of addresses as a user has written it: those that can be read, and what is wrong with the others. A value.
struct AddressList {
    /// The maximum number of addresses: as many endpoints that a user named are kept.
    static let limit = 16_384

    /// A mistake in an entry.
    struct Problem {
        /// The index of the entry; `nil` if the list as a whole is wrong.
        let index: Int?

        /// An explanation: what was expected, and what was found. No secret is in it.
        let text: String
    }

    private(set) var addresses: [ProbeAddress] = []
    private(set) var problems: [Problem] = []

    init(_ texts: [String]) {
        guard texts.count <= Self.limit else {
            problems = [Problem(index: nil, text: "expected at most \(Self.limit) addresses, found \(texts.count)")]
            return
        }
        for (index, text) in texts.enumerated() {
            do {
                addresses.append(try ProbeAddress(orHost: text))
            } catch {
                // A password that contains a comma is split over several entries: an `@` further on ends it.
                let isSecret = texts[(index + 1)...].contains { $0.contains("@") }
                let found = isSecret ? "…" : Redaction.address(text)
                problems.append(Problem(index: index, text: "entry \(index + 1): found “\(found)”. \(error)"))
            }
        }
    }
}
