import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@Suite struct SharedKeyTests {
    /// Others compute the same codes: the test case 2 of RFC 4231 §4.3.
    @Test func codesAreThoseOfTheStandard() {
        let code = SharedKey(Secret("Jefe")).code(for: Array("what do ya want for nothing?".utf8))
        #expect(code.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
