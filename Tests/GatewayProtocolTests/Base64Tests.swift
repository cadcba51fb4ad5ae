import Foundation
import GatewayProtocol
import TestSupport
import Testing

@Suite struct Base64Tests {
    /// Our encoder and decoder agree with Foundation's, which wrote the recordings of earlier versions.
    @Test func itIsAsFoundationWritesIt() {
        var generator = SeededGenerator.forFuzzing("Base64Tests")
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 20)
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.standard.encode(bytes) == text)
            #expect(Base64.standard.decode(text) == bytes)
        }
    }

    @Test(arguments: ["A", "AB", "ABC", "A===", "AB=C", "AB==AB==", "====", "AB C", "A-_A", "AAA\n", "AB==", "AAB="])
    func whatIsNoBase64IsRefused(text: String) {
        #expect(Base64.standard.decode(text) == nil)
    }
}
