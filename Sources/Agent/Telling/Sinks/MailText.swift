internal import GatewayProtocol

/// A message as mail (RFC 5322): every text is encoded, so that nothing in it can become a header.
enum MailText {
    /// The maximum number of characters in one line of Base64 (RFC 2045 §6.8).
    private static let lineLength = 76

    /// The maximum number of bytes in one encoded word of a header: with its frame and the name of the header, the line has
    /// at most 76 characters (RFC 2047 §2).
    private static let wordBytes = 39

    static func bytes(_ message: WaitingMessage, to address: String) -> [UInt8] {
        let lines = [
            "To: \(address)",
            "Subject: \(subject(message.title))",
            "X-Clawradar-Id: \(message.id)",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64",
            "",
        ]
        let body = Base64.standard.encode(
            Array(
                "\(SinkText.plain(message.title))\r\n\r\n\(SinkText.plain(message.text))\r\n".utf8
            )
        )
        return Array((lines + split(body)).map { $0 + "\n" }.joined().utf8)
    }

    /// Returns a text as encoded words.
    private static func subject(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        // No scalar is divided between two words (RFC 2047 §5).
        for scalar in text.unicodeScalars {
            let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if (words.last?.count ?? 0) + bytes.count > wordBytes { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.standard.encode($0))?=" }.joined(separator: "\n ")
    }

    private static func split(_ text: String) -> [String] {
        var rest = text[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineLength)))
            rest = rest.dropFirst(lineLength)
        }
        return lines
    }
}
