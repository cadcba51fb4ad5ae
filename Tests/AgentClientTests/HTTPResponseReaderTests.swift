import Testing

@testable import Agent

@Suite struct HTTPResponseReaderTests {
    /// Reads a response in pieces of some length, and returns its body.
    private func read(_ text: String, pieces length: Int) throws -> (HTTPResponseReader, String) {
        var reader = HTTPResponseReader()
        var body: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            body += try reader.take(bytes.prefix(length))
            bytes = bytes.dropFirst(length)
        }
        return (reader, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func aBodyOfKnownLengthIsReadInWhateverPiecesItComes(length: Int) throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nClawradar-Version: 0.1.0\r\n\r\nhello"
        let (reader, body) = try read(text, pieces: length)
        #expect(reader.isComplete)
        #expect(reader.status == 200)
        #expect(reader.fields["clawradar-version"] == "0.1.0")
        #expect(body == "hello")
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func chunksAreReadInWhateverPiecesTheyCome(length: Int) throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n10;x=y\r\n, and once more.\r\n0\r\n\r\n"
        let (reader, body) = try read(text, pieces: length)
        #expect(reader.isComplete)
        #expect(body == "hello, and once more.")
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() throws {
        let (reader, body) = try read("HTTP/1.1 200 OK\r\n\r\nhello", pieces: 4)
        #expect(!reader.isComplete)
        #expect(reader.mayEndHere)
        #expect(body == "hello")
    }

    @Test func anEmptyBodyIsCompleteAtOnce() throws {
        let (reader, body) = try read("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", pieces: 9)
        #expect(reader.isComplete)
        #expect(reader.status == 503)
        #expect(body.isEmpty)
    }

    @Test(arguments: [
        "HELLO\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
    ])
    func whatIsNoResponseIsRefused(text: String) {
        #expect(throws: AgentClientError.self) { try read(text, pieces: 1_000) }
    }

    @Test func aHeadWithoutAnEndIsRefused() {
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 20_000)
        #expect(throws: AgentClientError.garbled("the head of the response is too long")) {
            try read(text, pieces: 4_096)
        }
    }
}
