import DNSSD
import Testing

@Suite struct HexadecimalTests {
    /// Each byte has two digits, also those below 16, since fingerprints and identifiers are compared as text.
    @Test func eachByteHasTwoLowerCaseDigits() {
        let bytes: [UInt8] = [0x00, 0x0A, 0x10, 0xFF]
        #expect(bytes.hexadecimal == "000a10ff")
        #expect(bytes.hexadecimal(separatedBy: ":") == "00:0a:10:ff")
        #expect([UInt8]().hexadecimal == "")
    }
}
