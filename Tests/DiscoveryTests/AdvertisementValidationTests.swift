import DNSSD
import Testing

@testable import Discovery

@Suite struct AdvertisementValidationTests {
    @Test(arguments: [
        "", "a\u{0}b", "tab\there", "del\u{7F}", String(repeating: "x", count: 64),
        "é" + String(repeating: "x", count: 62),
    ])
    func badNamesAreRefused(_ name: String) {
        expectInvalid(Advertisement(name: name, types: [Samples.type], port: 1))
    }

    @Test(arguments: ["x", "Peter's “Gateway” 🦞", "-rf", "a.b\\c", String(repeating: "x", count: 63)])
    func goodNamesAreTaken(_ name: String) {
        #expect(throws: Never.self) { try Advertisement(name: name, types: [Samples.type], port: 1).validate() }
    }

    @Test func portAndTypeAreNeeded() {
        expectInvalid(Advertisement(name: "a", types: [Samples.type], port: 0))
        expectInvalid(Advertisement(name: "a", types: [], port: 1))
    }

    private func expectInvalid(_ advertisement: Advertisement) {
        let error = #expect(throws: BackendError.self) { try advertisement.validate() }
        #expect(error?.code == .invalid)
    }
}
