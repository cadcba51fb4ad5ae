import Pairing
import TestSupport
import Testing

@testable import Commands

/// `clawradar cloud setup`, which whoever makes the table copies from.
@Suite struct CloudSetupTests {
    /// What it prints is the file that is tested with PostgreSQL, and nothing else.
    @Test func itPrintsTheFile() throws {
        #expect(try CloudTable.statements == DocumentedCommand.text("docs/cloud.sql"))
    }

    /// Each column says what it is: whoever looks into their project finds what lies there in clear.
    @Test func eachColumnHasAComment() {
        let lines = CloudTable.statements.split(separator: "\n")
        let columns = lines.drop { !$0.hasPrefix("CREATE TABLE") }.dropFirst().prefix { !$0.hasPrefix(")") }
            .compactMap { $0.split(separator: " ").first }.filter { !$0.hasPrefix("UNIQUE") }
        #expect(columns.count == 16)
        for column in columns {
            #expect(lines.contains { $0.hasPrefix("COMMENT ON COLUMN bot_pairings.\(column) IS") }, "\(column)")
        }
    }

    /// The code of another vault is noticed when it is typed. Where no row tells, any may be the right one.
    @Test func theCodeOfAnotherVaultIsNoticed() {
        let vault = VaultKey()
        #expect(CloudVaultDialogue.isRight(vault, [vault.id, "x"]) && CloudVaultDialogue.isRight(vault, []))
        #expect(!CloudVaultDialogue.isRight(vault, ["x"]))
    }
}
