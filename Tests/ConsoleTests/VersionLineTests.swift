import Testing

@testable import Console

@Suite struct VersionLineTests {
    /// Scripts take the version from the beginning of the line, and people see in a report which program it was.
    @Test func itBeginsWithTheVersionAndNamesTheCommitWhereItIsKnown() {
        let unknown = CommandLineTool.versionLine(commit: nil)
        let known = CommandLineTool.versionLine(commit: "0123456789ab")
        #expect(unknown.hasPrefix("\(CommandLineTool.version) (backends ") && unknown.hasSuffix("embedded)"))
        #expect(known.hasPrefix("\(CommandLineTool.version) (commit 0123456789ab, backends "))
    }

    /// The line that `git archive` replaces is not taken for a commit in a checkout, and is cut to its beginning in an archive.
    @Test func aCheckoutKnowsNoCommit() {
        #expect(BuildCommit.name.map { $0.count == 12 && $0.allSatisfy(\.isHexDigit) } ?? true)
    }
}
