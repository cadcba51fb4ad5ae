/// A reader of one JSON array, element by element: what is wrong with one element leaves the others readable. It does not
/// recurse.
package struct JSONListReader: Sequence, IteratorProtocol, Sendable {
    /// One element of the list.
    package struct Element: Sendable {
        /// The line of the document on which it begins; the first is 1.
        package let line: Int

        /// The value, or what is wrong with it.
        package let value: Result<JSONValue, GatewayMessageError>
    }

    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var position = 0
    private var line = 1

    /// Indicates whether the end of the list was read: where the document ends before, the list was cut off.
    private var isFinished = false

    /// The error after which the list cannot be followed; `nil` while it can.
    package private(set) var failure: GatewayMessageError?

    /// Creates a reader at the beginning of a list.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - limits: The limits of each element.
    /// - Throws: `malformed` where the document does not begin as an array.
    package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        (self.bytes, self.limits) = (bytes, limits)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        guard current == UInt8(ascii: "[") else {
            throw GatewayMessageError(.malformed, "expected a list, which begins with [, at line \(line)")
        }
        position += 1
        skipSpace()
        if current == UInt8(ascii: "]") { finish() }
    }

    /// Returns the next element; `nil` after the last one, or where the list cannot be followed any more.
    package mutating func next() -> Element? {
        guard failure == nil, !isFinished else { return nil }
        skipSpace()
        let (start, first) = (position, line)
        guard start < bytes.count else {
            fail("an element or the end of the list", at: first)
            return nil
        }
        guard skipValue() else {
            fail("the end of the element that begins there", at: first)
            return nil
        }
        let text = Array(bytes[start..<position])
        defer { text.withUnsafeBytes(Wiping.wipe) }
        let value = Result { () throws(GatewayMessageError) in try JSONValue(parsing: text, limits: limits) }
        switch current {
        case UInt8(ascii: ","): position += 1
        case UInt8(ascii: "]"): finish()
        default: fail("a comma or the end of the list", at: line)
        }
        return Element(line: first, value: value)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func fail(_ expected: String, at line: Int) {
        failure = GatewayMessageError(.malformed, "expected \(expected), line \(line)")
    }

    /// Skips the end of the list and of the document.
    private mutating func finish() {
        isFinished = true
        position += 1
        skipSpace()
        if position < bytes.count { fail("nothing after the list", at: line) }
        position = bytes.count
    }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { advance(byte) }
    }

    private mutating func advance(_ byte: UInt8) {
        if byte == 0x0A { line += 1 }
        position += 1
    }

    /// Skips to the comma or bracket behind one element, by its quotes and brackets alone; returns `false` at the end of
    /// the document.
    private mutating func skipValue() -> Bool {
        var (depth, isText) = (0, false)
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\\") where isText: position += 1
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ","), UInt8(ascii: "]"): if depth == 0 { return true } else { fallthrough }
            case UInt8(ascii: "}"): if byte != UInt8(ascii: ",") { depth = Swift.max(0, depth - 1) }
            default: break
            }
            guard position < bytes.count else { return false }
            advance(bytes[position])
        }
        return false
    }
}
