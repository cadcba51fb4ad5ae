/// One response of HTTP/1.1, read piece by piece as the bytes come. A value: it does no I/O.
struct HTTPResponseReader {
    /// The maximum number of bytes before the body.
    private static let headLimit = 65_536

    /// The part of the response that comes next.
    private enum Place {
        case head
        /// So many bytes of the body are left.
        case counted(Int)
        /// The line with the length of the next chunk.
        case chunkLength
        /// So many bytes of a chunk are left.
        case chunk(Int)
        /// The line that ends a chunk.
        case chunkEnd
        /// The lines after the last chunk.
        case trailer
        /// The body ends with the connection.
        case open
        case end
    }

    /// The status; `nil` before the head has come.
    private(set) var status: Int?

    /// The header fields, by their names in lower case.
    private(set) var fields: [String: String] = [:]

    private var place = Place.head
    private var pending: ArraySlice<UInt8> = []

    /// Indicates whether the whole response has come.
    var isComplete: Bool { if case .end = place { true } else { false } }

    /// Indicates whether the response may end with the connection.
    var mayEndHere: Bool { if case .open = place { true } else { isComplete } }

    /// Takes in bytes.
    ///
    /// - Returns: The bytes of the body among them.
    mutating func take(_ bytes: ArraySlice<UInt8>) throws(AgentClientError) -> [UInt8] {
        pending += bytes
        var body: [UInt8] = []
        while try step(&body) {}
        return body
    }

    /// Reads one part of the response.
    ///
    /// - Returns: `false` if more bytes are needed, or the response is complete.
    private mutating func step(_ body: inout [UInt8]) throws(AgentClientError) -> Bool {
        switch place {
        case .head:
            guard let lines = try takeHead() else { return false }
            try begin(lines)
        case .counted(let left):
            guard let rest = takeBody(left, &body) else { return false }
            place = rest == 0 ? .end : .counted(rest)
        case .chunkLength:
            guard let line = takeLine() else { return false }
            guard let length = Int(line.prefix { $0 != ";" }, radix: 16), length >= 0 else {
                throw .garbled("expected the length of a chunk")
            }
            place = length == 0 ? .trailer : .chunk(length)
        case .chunk(let left):
            guard let rest = takeBody(left, &body) else { return false }
            place = rest == 0 ? .chunkEnd : .chunk(rest)
        case .chunkEnd:
            guard takeLine() != nil else { return false }
            place = .chunkLength
        case .trailer:
            guard let line = takeLine() else { return false }
            if line.isEmpty { place = .end }
        case .open:
            guard takeBody(Int.max, &body) != nil else { return false }
        case .end:
            return false
        }
        return true
    }

    private mutating func begin(_ lines: [Substring]) throws(AgentClientError) {
        let parts = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
            throw .garbled("expected a response of HTTP/1.1")
        }
        self.status = status
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            fields[pair[0].lowercased()] = String(pair[1].drop { $0 == " " })
        }
        if fields["transfer-encoding"]?.lowercased() == "chunked" {
            place = .chunkLength
        } else if let length = fields["content-length"].flatMap({ Int($0) }) {
            place = length > 0 ? .counted(length) : .end
        } else {
            place = .open
        }
    }

    /// Takes the lines of the head, if all have come.
    private mutating func takeHead() throws(AgentClientError) -> [Substring]? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard let range = pending.firstRange(of: end) else {
            guard pending.count <= Self.headLimit else { throw .garbled("the head of the response is too long") }
            return nil
        }
        let text = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
        pending = pending[range.upperBound...]
        return text.split(separator: "\r\n", omittingEmptySubsequences: false)
    }

    /// Takes a line without its end, if all of it has come.
    private mutating func takeLine() -> String? {
        let end: [UInt8] = [13, 10]
        guard let range = pending.firstRange(of: end) else { return nil }
        defer { pending = pending[range.upperBound...] }
        return String(decoding: pending[..<range.lowerBound], as: UTF8.self)
    }

    /// Takes bytes of the body, as many as have come.
    ///
    /// - Returns: The number of those that are left; `nil` if none has come.
    private mutating func takeBody(_ left: Int, _ body: inout [UInt8]) -> Int? {
        guard !pending.isEmpty else { return nil }
        let part = pending.prefix(left)
        body += part
        pending = pending.dropFirst(part.count)
        return left - part.count
    }
}
