/// The number of terminal cells that a text takes.
///
/// Terminals follow East Asian Width (Unicode Annex #11), for which the standard library has no table. The ranges below
/// are its wide and fullwidth ranges, merged across unassigned gaps. Emoji are recognised as wide by their Unicode
/// property.
package enum DisplayWidth {
    /// Returns the number of cells of a cleaned text.
    package static func of(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Returns the number of cells of one character: 2 if any part of it is wide or makes it an emoji, otherwise 1.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        return character.unicodeScalars.contains { isWide($0) || $0 == "\u{FE0F}" } ? 2 : 1
    }

    /// Returns the text cut to a number of cells; a text that was cut ends in `…`.
    package static func fit(_ text: String, in cells: Int) -> String {
        guard of(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            used += of(character)
            guard used <= cells else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Returns the text cut in the middle to a number of cells, where `…` replaces what does not fit. The end stays:
    /// that of an address is its port.
    package static func fitKeepingEnd(_ text: String, in cells: Int) -> String {
        guard of(text) > cells, cells > 3 else { return fit(text, in: cells) }
        let start = fit(text, in: (cells - 1) / 3 + 1)
        var end = ""
        var used = of(start)
        for character in text.reversed() {
            used += of(character)
            guard used <= cells else { break }
            end.append(character)
        }
        return start + String(end.reversed())
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return scalar.properties.isEmojiPresentation || ranges.contains { $0.contains(scalar.value) }
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
