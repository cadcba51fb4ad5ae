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
    public struct Entry: Hashable, Sendable {
        /// The key as it was spelled: printable ASCII without `=` (RFC 6763 §6.4).
        public let key: String

        /// The bytes after the equals sign; `nil` if there is no equals sign.
        public let value: [UInt8]?

        init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a key that is present, or the absence of a value (RFC 6763 §6.4).
    public enum Value: Hashable, Sendable {
        /// The key alone, without an equals sign: a flag that is set.
        case noValue

        /// The bytes after the equals sign, possibly none.
        case bytes([UInt8])
    }

    /// The entries, each key once, in the order of the record.
    public private(set) var entries: [Entry]

    /// The empty record.
    public init() {
        self.entries = []
    }

    /// Creates a record from these pairs, in this order.
    ///
    /// - Throws: ``DNSSDError`` for a bad or repeated key, a string past 255 bytes, or too many pairs.
    public init(_ pairs: [(String, String)]) throws(DNSSDError) {
        self.init()
        for (key, value) in pairs {
            guard index(ofKey: key.utf8) == nil else { throw .repeatedKey(key) }
            try set(value, forKey: key)
        }
    }

    /// Returns the value of a key, or ``Value/noValue`` if the key has none; `nil` if the key is absent.
    public func value(forKey key: String) -> Value? {
        guard let index = index(ofKey: key.utf8) else { return nil }
        return entries[index].value.map { .bytes($0) } ?? .noValue
    }

    /// Returns the value of a key as bytes; `nil` if the key is absent or has no value.
    public func bytes(forKey key: String) -> [UInt8]? {
        index(ofKey: key.utf8).flatMap { entries[$0].value }
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
        if let index = index(ofKey: key.utf8) {
            entries[index] = Entry(key: key, value: value)
        } else {
            guard entries.count < Self.maximumEntryCount else { throw .tooManyEntries }
            entries.append(Entry(key: key, value: value))
        }
    }

    /// Removes a key, if it is present.
    public mutating func removeValue(forKey key: String) {
        if let index = index(ofKey: key.utf8) { entries.remove(at: index) }
    }

    /// Appends an entry that decoding has checked.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    func index(ofKey key: some Collection<UInt8>) -> Int? {
        entries.firstIndex { ASCIICase.equal($0.key.utf8, key) }
    }

    /// Returns whether the bytes are a key by RFC 6763 §6.4: at least one character, printable ASCII, no equals sign.
    static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}
