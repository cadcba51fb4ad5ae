import GatewayReports
import PairingReports
import PairingStore
import TestSupport
import Testing

// From here to the suite: the listing of Sources/PairingReports/PairingReports.docc, word for word. What is
// changed there is changed here.

func document(of pairings: [StoredPairing]) -> String {
    PairingListReport(pairings.map { PairingReport($0) }).line
}

/// The code that the guide shows compiles, and each document has the fields that the guide lists, and no others.
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
