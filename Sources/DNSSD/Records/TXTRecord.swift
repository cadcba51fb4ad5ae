/// The TXT record of a service instance: keys with values, in order (RFC 6763 §6).
///
/// Values come from the network and can be any bytes; clean them with ``DisplayText`` before showing them to a person.
/// Keys are looked up without regard to ASCII case. Two records are equal when they have the same entries in the same
/// order, with identically spelled keys.
///
/// ## Usage
///
///     var record = TXTRecord()
///     try record.set("Home Gateway", forKey: "name")
///     print(record.string(forKey: "NAME") ?? "")  // "Home Gateway"
public struct TXTRecord: Hashable, Sendable {
    /// The maximum number of bytes in one string, key and equals sign included (RFC 6763 §6.1).
    public static let maximumStringLength = 255

    /// The maximum number of bytes of a record that are written or read (RFC 6763 §6.1).
    public static let maximumLength = 8_900

    /// The maximum number of entries that are written or read: a bound against hostile records, far above what any
    /// service has.
    public static let maximumEntryCount = 64

    /// One key with its value.
    package struct Entry: Hashable, Sendable {
        /// The key as it was spelled: printable ASCII without `=` (RFC 6763 §6.4).
        package let key: String

        /// The bytes after the equals sign; `nil` if there is no equals sign.
        package let value: [UInt8]?

        /// Reads a string of a record, which has a key.
        fileprivate init(_ string: ArraySlice<UInt8>) {
            self.key = String(decoding: TXTStrings.key(of: string), as: UTF8.self)
            self.value = TXTStrings.value(of: string).map { Array($0) }
        }
    }

    /// The value of a key that is present, or the absence of a value (RFC 6763 §6.4).
    package enum Value: Hashable, Sendable {
        /// The key alone, without an equals sign: a flag that is set.
        case noValue

        /// The bytes after the equals sign, possibly none.
        case bytes([UInt8])
    }

    /// The strings, each after its length byte. There may be thousands of records, and those without anything malformed have the
    /// very bytes in common that were received.
    var wire: [UInt8] = []

    /// The entries, each key once, in the order of the record.
    package var entries: [Entry] { TXTStrings(wire).map { Entry($0) } }

    /// The empty record.
    public init() {}

    /// Creates a record from these pairs, in this order.
    ///
    /// - Throws: ``DNSSDError`` for a bad or repeated key, a string past 255 bytes, or too many pairs.
    public init(_ pairs: [(String, String)]) throws(DNSSDError) {
        self.init()
        for (key, value) in pairs {
            guard string(ofKey: key.utf8) == nil else { throw .repeatedKey(key) }
            try set(value, forKey: key)
        }
    }

    /// Returns the value of a key, or ``Value/noValue`` if the key has none; `nil` if the key is absent.
    package func value(forKey key: String) -> Value? {
        string(ofKey: key.utf8).map { TXTStrings.value(of: $0).map { .bytes(Array($0)) } ?? .noValue }
    }

    /// Returns the value of a key as bytes; `nil` if the key is absent or has no value.
    public func bytes(forKey key: String) -> [UInt8]? {
        string(ofKey: key.utf8).flatMap { TXTStrings.value(of: $0) }.map { Array($0) }
    }

    /// Returns the value of a key as text; `nil` if the key is absent or has no value, or its value is not UTF-8.
    public func string(forKey key: String) -> String? {
        bytes(forKey: key).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Sets the value of a key to text.
    ///
    /// - Throws: ``DNSSDError``, as ``set(_:forKey:)-([UInt8]?,_)`` does.
    public mutating func set(_ value: String, forKey key: String) throws(DNSSDError) {
        try set(Array(value.utf8), forKey: key)
    }

    /// Sets the value of a key to bytes; `nil` sets the key without a value.
    ///
    /// A key that is already present keeps its position and takes the new spelling; a new one is appended.
    ///
    /// - Throws: ``DNSSDError`` for a bad key, a string past 255 bytes, or one entry too many.
    public mutating func set(_ value: [UInt8]?, forKey key: String) throws(DNSSDError) {
        guard Self.isKey(key.utf8) else { throw .invalidKey(key) }
        let length = key.utf8.count + (value.map { $0.count + 1 } ?? 0)
        guard length <= Self.maximumStringLength else { throw .stringTooLong(key: key, length: length) }
        var strings = strings
        let new = Array(key.utf8) + (value.map { [UInt8(ascii: "=")] + $0 } ?? [])
        if let index = strings.firstIndex(where: { TXTStrings.hasKey(key.utf8, $0[...]) }) {
            strings[index] = new
        } else {
            guard strings.count < Self.maximumEntryCount else { throw .tooManyEntries }
            strings.append(new)
        }
        replace(by: strings)
    }

    /// Removes a key, if it is present.
    public mutating func removeValue(forKey key: String) {
        replace(by: strings.filter { !TXTStrings.hasKey(key.utf8, $0[...]) })
    }

    private mutating func replace(by strings: [[UInt8]]) {
        wire = []
        for string in strings { append(string[...]) }
    }

    /// Appends a string of at most 255 bytes, with a key that is not in the record.
    mutating func append(_ string: ArraySlice<UInt8>) {
        wire.append(UInt8(truncatingIfNeeded: string.count))
        wire += string
    }

    /// Returns the string with this key.
    func string(ofKey key: some Collection<UInt8>) -> ArraySlice<UInt8>? {
        TXTStrings(wire).first { TXTStrings.hasKey(key, $0) }
    }

    /// Returns whether the bytes are a key by RFC 6763 §6.4: at least one character, printable ASCII, no equals sign.
    static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}
