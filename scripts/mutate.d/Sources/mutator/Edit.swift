/// Text to insert at a position in a file.
struct Edit {
    /// The UTF-8 offset in the original file.
    let offset: Int
    let text: String
    /// The size of the code that the text encloses, in bytes. Of several texts that begin at one position, the largest
    /// is the outermost; of several that end there, the largest comes last.
    let extent: Int
    let isEnd: Bool
}

extension [Edit] {
    /// Returns the file with every edit applied. No edit adds a line, so that the line in a compiler error is that of
    /// the original.
    func applied(to source: String) -> String {
        let bytes = Array<UInt8>(source.utf8)
        var result: [UInt8] = []
        var position = 0
        for edit in sorted(by: Self.precedes) {
            result += bytes[position..<edit.offset]
            position = edit.offset
            result += edit.text.utf8
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }

    private static func precedes(_ one: Edit, _ other: Edit) -> Bool {
        if one.offset != other.offset { return one.offset < other.offset }
        if one.isEnd != other.isEnd { return one.isEnd }
        return one.isEnd ? one.extent < other.extent : one.extent > other.extent
    }
}
