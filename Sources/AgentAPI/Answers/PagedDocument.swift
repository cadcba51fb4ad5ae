internal import GatewayProtocol
internal import HummingbirdCore
internal import NIOCore

/// A JSON object that is written piece by piece, since a crowd is in it: whatever is in its lists is fetched a page at a time,
/// when the reader has taken what came before. A reader that stops costs one piece.
struct PagedDocument: Sendable {
    /// The value of a key.
    enum Member: Sendable {
        case value(JSONValue)

        /// A list, by the number of its pages, and what fetches one of them.
        case list(pages: Int, @Sendable (_ page: Int) async -> [JSONValue])
    }

    /// The number of bytes from which on a piece is written.
    private static let pieceSize = 32_768

    private let members: [String: Member]

    init(_ members: [String: Member]) {
        self.members = members
    }

    /// Writes the object, with its keys sorted.
    ///
    /// - Parameters:
    ///   - head: The text before it.
    ///   - tail: The text after it.
    ///   - writer: Writes a piece, and returns when there is room for the next.
    @concurrent
    func write(
        after head: String = "",
        before tail: String = "\n",
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var piece = ByteBuffer(string: head)
        for (index, key) in members.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }).enumerated() {
            piece.writeBytes((index == 0 ? "{" : ",").utf8)
            piece.writeBytes(JSONValue.string(key).encoded)
            piece.writeBytes(":".utf8)
            switch members[key] {
            case nil: break
            case .value(let value): piece.writeBytes(value.encoded)
            case .list(let pages, let page):
                var separator = "["
                for number in 0..<pages {
                    for value in await page(number) {
                        piece.writeBytes(separator.utf8)
                        piece.writeBytes(value.encoded)
                        separator = ","
                        guard piece.readableBytes >= Self.pieceSize else { continue }
                        try await writer.write(piece)
                        piece = ByteBuffer()
                    }
                }
                piece.writeBytes((separator == "[" ? "[]" : "]").utf8)
            }
        }
        piece.writeBytes((members.isEmpty ? "{}" : "}").utf8)
        piece.writeBytes(tail.utf8)
        try await writer.write(piece)
    }
}
