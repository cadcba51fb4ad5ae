import GatewayReports
import PairingReports
import PairingStore
import TestSupport
import Testing

// From here to the suite: the listing of Sources/PairingReports/PairingReports.docc, word for word. Change both
// together.

func document(of pairings: [StoredPairing]) -> String {
    PairingListReport(pairings.map { PairingReport($0) }).line
}

/// The listing of the guide compiles, and each document has exactly the fields that the guide lists.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "PairingReports")
        #expect(listings.count == 1)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func theTablesListEachFieldOfADocument() throws {
        for (name, reports) in try PairingSample.documents() {
            let listed = try GuideTable.fields(of: name, inGuideOf: "PairingReports")
            #expect(listed == Set(reports.flatMap(\.fields.keys)), "\(name)")
        }
    }

    @Test func theListingDoesWhatTheGuideSays() throws {
        let line = document(of: [try PairingSample.pairing()])
        #expect(line.hasPrefix(#"{"pairings":[{"#))
        #expect(!line.contains("token"))
    }
}
