/// One question to the Unix socket by which a gateway on this host is operated: a line of JSON, and the line that answers
/// it. Only a socket of this user is asked.
package enum ControlLine {
    /// The most bytes of an answer.
    private static let most = 1_048_576

    /// Sends a line, and returns the line that answers it. Blocks.
    package static func ask(_ line: [UInt8], at path: String, within time: Duration) throws(AgentClientError) -> [UInt8]
    {
        let deadline = ContinuousClock.now + time
        let connection = try AgentConnection(path, until: deadline)
        defer { connection.end() }
        try connection.write(line + [0x0A], until: deadline)
        var answer: [UInt8] = []
        while true {
            let bytes = try connection.read(until: deadline)
            guard !bytes.isEmpty else { throw .broken("it was closed without an answer") }
            answer += bytes
            if let end = answer.firstIndex(of: 0x0A) { return Array(answer[..<end]) }
            guard answer.count <= most else { throw .garbled("it is too long") }
        }
    }
}
