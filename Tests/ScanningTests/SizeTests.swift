import Testing

@testable import Scanning

/// A type with more than 20 stored properties is several types.
@Suite struct SizeTests {
    @Test func theStateOfAScannerIsOfFewParts() {
        #expect(Mirror(reflecting: ScanState(ScannerConfiguration())).children.count <= 20)
    }
}
