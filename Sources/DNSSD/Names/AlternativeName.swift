/// The rule by which the next name to try is found when an instance name is taken (RFC 6763 Appendix D).
package enum AlternativeName {
    /// Returns the next name: `Gateway` → `Gateway #2` → `Gateway #3`, as Avahi counts, in at most 63 bytes, cut
    /// between characters.
    package static func next(after name: String) -> String {
        var stem = name[...]
        var number = 2
        if let mark = name.lastIndex(of: "#"), mark > name.startIndex, name[name.index(before: mark)] == " ",
            let last = Int(name[name.index(after: mark)...]), last > 1, last < 1_000_000
        {
            stem = name[..<name.index(before: mark)]
            number = last + 1
        }
        let suffix = " #\(number)"
        while stem.utf8.count + suffix.utf8.count > 63, !stem.isEmpty { stem.removeLast() }
        return stem + suffix
    }
}
