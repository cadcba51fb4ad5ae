import Foundation
import TestSupport
import Testing

@testable import GatewayReports

@Suite struct Base64Tests {
    /// Recordings of earlier versions were written by Foundation.
    @Test func itIsAsFoundationWritesIt() {
        var generator = SeededGenerator.forFuzzing("Base64Tests")
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 20)
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.text(bytes) == text)
            #expect(Base64.bytes(text) == bytes)
        }
    }

    @Test(arguments: ["A", "AB", "ABC", "A===", "AB=C", "AB==AB==", "====", "AB C", "A-_A", "AAA\n"])
    func whatIsNoBase64IsRefused(text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
