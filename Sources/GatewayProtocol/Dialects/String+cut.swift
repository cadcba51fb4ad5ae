extension String {
    /// Returns the longest prefix of whole Unicode scalars that fits into `limit` bytes of UTF-8.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        // Scalars, not characters: a sender can make one character arbitrarily long.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
