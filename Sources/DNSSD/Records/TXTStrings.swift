/// The strings of a TXT record, each after its length byte (RFC 1035 §3.3.14).
struct TXTStrings: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ wire: [UInt8]) {
        self.rest = wire[...]
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let length = rest.popFirst() else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }

    /// Returns the part of a string before the first equals sign.
    static func key(of string: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        string.prefix { $0 != UInt8(ascii: "=") }
    }

    /// Returns the part of a string after the first equals sign; `nil` if there is none.
    static func value(of string: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        string.firstIndex(of: UInt8(ascii: "=")).map { string[($0 + 1)...] }
    }

    /// Returns whether a string has this key.
    static func hasKey(_ key: some Collection<UInt8>, _ string: ArraySlice<UInt8>) -> Bool {
        let end = string.startIndex + key.count
        // Nearly every other string is told by one byte, however long it is.
        guard end <= string.endIndex, end == string.endIndex || string[end] == UInt8(ascii: "=") else { return false }
        return ASCIICase.equal(string[..<end], key) && !key.contains(UInt8(ascii: "="))
    }
}
