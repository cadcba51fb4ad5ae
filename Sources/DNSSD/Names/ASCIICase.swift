/// Name comparison by the rules of DNS: byte by byte, with the 26 ASCII letters folded (RFC 6762 §16, RFC 4343).
///
/// `String`'s own `==` compares by canonical equivalence, under which two names with different bytes can be equal: two
/// different services could then be taken for one.
package enum ASCIICase {
    /// Returns the lower-case form of an ASCII capital, and any other byte unchanged.
    package static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Returns the text with its ASCII capitals in lower case and nothing else changed.
    package static func lowered(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 &- 0x41 < 26 }) else { return text }
        // Changing ASCII bytes to ASCII bytes leaves valid UTF-8 valid.
        return String(decoding: text.utf8.map { lowered($0) }, as: UTF8.self)
    }

    /// Returns whether two names are the same to DNS.
    package static func equal(_ lhs: some Collection<UInt8>, _ rhs: some Collection<UInt8>) -> Bool {
        // The bytes of nearly every name are in one place, where they are compared several times faster.
        let stored = lhs.withContiguousStorageIfAvailable { left in
            rhs.withContiguousStorageIfAvailable { right in
                left.count == right.count
                    && left.indices.allSatisfy { left[$0] == right[$0] || lowered(left[$0]) == lowered(right[$0]) }
            }
        }
        if case .some(.some(let isEqual)) = stored { return isEqual }
        guard lhs.count == rhs.count else { return false }
        var others = rhs.makeIterator()
        for byte in lhs {
            guard let other = others.next(), byte == other || lowered(byte) == lowered(other) else { return false }
        }
        return true
    }

    /// Returns the order of two names: negative, zero or positive. It is zero exactly when they are ``equal(_:_:)``.
    package static func order(_ lhs: some Sequence<UInt8>, _ rhs: some Sequence<UInt8>) -> Int {
        var others = rhs.makeIterator()
        for byte in lhs {
            guard let other = others.next() else { return 1 }
            let difference = Int(lowered(byte)) - Int(lowered(other))
            if difference != 0 { return difference }
        }
        return others.next() == nil ? 0 : -1
    }

    /// Feeds a name to a hasher, so that names that are equal to DNS have equal hashes.
    package static func hash(_ bytes: some Sequence<UInt8>, into hasher: inout Hasher) {
        // Eight bytes at a time: the cost of a hasher is per call.
        var word: UInt64 = 0
        var count = 0
        for byte in bytes {
            word = word << 8 | UInt64(lowered(byte))
            count += 1
            if count & 7 == 0 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        // Ends the name, so that ("ab", "c") and ("a", "bc") differ.
        hasher.combine(count)
    }
}
