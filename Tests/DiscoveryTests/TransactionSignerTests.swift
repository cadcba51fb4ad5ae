import DNSSD
import Testing

@testable import Discovery

/// Signatures as RFC 8945 has them: messages that BIND 9.18 accepted, and its answers to them.
@Suite struct TransactionSignerTests {
    /// The packets of one exchange, recorded with the key `vector`.
    private struct Exchange {
        let time: UInt64
        let request: [UInt8]
        let response: [UInt8]

        /// The codes by what they sign, composed by hand as in RFC 8945 §4.3.
        let codes: [[UInt8]: [UInt8]]

        init(_ time: UInt64, _ timeDigits: String, _ request: String, requestCode: String, _ response: Response) {
            let (algorithm, name) = ("0b686d61632d73686132353600", "06766563746f72")
            let tail = "\(timeDigits)012c"
            let head = { (name: String, length: String) in "\(name)0000fa00ff00000000\(length)\(algorithm)\(tail)0020" }
            self.time = time
            self.request = bytes(
                request.replacing("COUNT", with: "0001") + head("06566563746f72", "003d") + requestCode + "cafe00000000"
            )
            self.response = bytes(
                response.message.replacing("COUNT", with: "0001") + head(name, response.length) + response.code + "cafe"
                    + response.end
            )
            let variables = "\(name)0000ff00000000\(algorithm)\(tail)"
            codes = [
                bytes(request.replacing("COUNT", with: "0000") + variables + "00000000"): bytes(requestCode),
                bytes(
                    "0020\(requestCode)" + response.message.replacing("COUNT", with: "0000") + variables + response.end
                ):
                    bytes(response.code),
            ]
        }
    }

    private struct Response {
        let message: String
        let length: String
        let code: String
        let end: String
    }

    private static let zone = "076578616d706c6508696e7465726e616c0000060001"
    private static let update = "cafe2800000100000001COUNT\(zone)066e6f626f6479c00c00ff00ff000000000000"

    private static let done = Exchange(
        1_795_952_303,
        "00006b0c0eaf",
        update,
        requestCode: "512ec806dbeeecd8209260fc50bc15d3527239e2f0f292a2135f2a241ef98908",
        Response(
            message: "cafea800000100000000COUNT\(zone)",
            length: "003d",
            code: "76d5cc6a4bf99ba6e5312d1b60b52e6d385c7a549c61e52c0f3519b0f3ae0231",
            end: "00000000"
        )
    )

    /// The clock of the request was 400 s behind.
    private static let late = Exchange(
        1_795_951_903,
        "00006b0c0d1f",
        update,
        requestCode: "d4e6685ecd0a64b70ba19e00d625291d934c80a8b44ec9c82fefe94c0678acbb",
        Response(
            message: "cafea809000100000000COUNT\(zone)",
            length: "0043",
            code: "fe8d8f65de56da282537f7adcfe4317095f5ba4eb8e73adab99f534d6f7e488f",
            end: "0012000600006b0c0eaf"
        )
    )

    private func sign(_ exchange: Exchange) throws -> (TransactionSigner, TransactionSigner.Signed) {
        let signer = TransactionSigner(name: try DomainName(escaped: "Vector")) { [codes = exchange.codes] in
            codes[$0] ?? []
        }
        var update = ZoneUpdate()
        update.changes = [.deletion(of: try DomainName(escaped: "nobody.example.internal"))]
        let message = update.message(zone: try DomainName(escaped: "example.internal"), id: 0xCAFE)
        return (signer, signer.sign(message, at: exchange.time))
    }

    @Test func aServerAcceptsWhatIsSigned() throws {
        let (signer, signed) = try sign(Self.done)
        #expect(signed.bytes == Self.done.request)
        let answer = try signer.verify(Self.done.response, respondsTo: signed, at: Self.done.time)
        #expect(answer.flags.responseCode == .noError)
    }

    /// Who sees the update may answer in the server's place: nothing but its signature counts.
    @Test func nothingElseIsTakenForTheAnswer() throws {
        let (signer, signed) = try sign(Self.done)
        for index in Self.done.response.indices {
            var response = Self.done.response
            response[index] ^= 0x01
            #expect(throws: UpdateProblem.self) {
                try signer.verify(response, respondsTo: signed, at: Self.done.time)
            }
        }
        let refusal = DNSMessage(id: 0xCAFE, flags: DNSFlags(rawValue: 0xA805))
        #expect(throws: UpdateProblem.unsigned(.refused)) {
            try signer.verify(refusal.encoded().bytes, respondsTo: signed, at: Self.done.time)
        }
    }

    /// The answer of yesterday is none, and a user learns how far the clocks are apart.
    @Test func clocksAreCompared() throws {
        let (signer, signed) = try sign(Self.late)
        #expect(signed.bytes == Self.late.request)
        #expect(throws: UpdateProblem.badTime(server: 1_795_952_303, here: 1_795_951_903)) {
            try signer.verify(Self.late.response, respondsTo: signed, at: Self.late.time)
        }
        let (other, request) = try sign(Self.done)
        #expect(throws: UpdateProblem.self) {
            try other.verify(Self.done.response, respondsTo: request, at: Self.done.time + 301)
        }
        let error = UpdateProblem.badTime(server: 1_000, here: 600)
            .error(zone: .local, server: "s", key: signer.name)
        #expect(error.message.contains("400 s behind"))
    }
}

private func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}
