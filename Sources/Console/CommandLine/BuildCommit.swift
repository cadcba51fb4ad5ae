/// The commit of the source that the program was built from.
///
/// `git archive` writes it into this file (see `.gitattributes`), and so `scripts/package` and `scripts/build-static` know
/// it, which build from an archive. A build in a checkout does not, and need not compile anything again after each commit.
enum BuildCommit {
    private static let text = "$Format:%H$"

    /// The beginning of its name; `nil` of a build in a checkout.
    static var name: String? { text.hasPrefix("$") ? nil : String(text.prefix(12)) }
}
