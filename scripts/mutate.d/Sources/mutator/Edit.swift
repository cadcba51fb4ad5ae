/// Text that goes in at a place of a file.
struct Edit {
    /// The UTF-8 offset in the file as it was.
    let offset: Int
    let text: String
    /// The extent of what the text encloses, in bytes. Where several begin at one place, the largest is the outermost; where
    /// several end, it is the last.
    let extent: Int
    let isEnd: Bool
}

extension [Edit] {
    /// The file with every edit made. No edit adds a line, so that a compiler's complaint names the line of the original.
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
