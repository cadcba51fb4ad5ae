/// The limits on JSON that is read from an untrusted peer.
package struct JSONLimits: Hashable, Sendable {
    /// The most bytes of one document. They are counted before anything is parsed.
    package var maximumBytes: Int

    /// The deepest nesting that any limits allow, since each level takes space on the stack.
    private static let deepest = 512

    /// The deepest nesting of arrays and objects, at most 512; a number alone is depth 0, `[]` is depth 1.
    package var maximumDepth: Int {
        didSet { maximumDepth = min(maximumDepth, Self.deepest) }
    }

    /// The most values of one document: the document itself, and every element and field in it, at any depth.
    ///
    /// A value such as `0,` has two bytes and takes dozens in memory, and a field takes a hundred: a limit on bytes
    /// alone does not limit the memory that a document takes.
    package var maximumValues: Int

    /// Indicates whether an escaped half of a surrogate pair is read as U+FFFD; otherwise it is refused.
    ///
    /// The grammar allows one (RFC 8259 §8.2), and a program that cuts a text in the middle of an emoji writes one.
    package var replacesUnpairedSurrogates: Bool

    /// Indicates whether the texts of keys such as `token` and `password` are read as secrets: see
    /// ``JSONValue/secret(_:)``.
    package var hidesSecrets: Bool

    /// Creates limits. A depth above 512 counts as 512.
    ///
    /// - Parameters:
    ///   - maximumBytes: The most bytes; 64 KiB is the most that a gateway accepts before authentication.
    ///   - maximumDepth: The deepest nesting, at most 512, since each level takes space on the stack.
    ///   - maximumValues: The most values. 262,144 take some 30 MiB at worst, and no gateway sends as many.
    ///   - replacesUnpairedSurrogates: Whether an escaped half of a surrogate pair is read as U+FFFD.
    ///   - hidesSecrets: Whether the texts of keys such as `token` and `password` are read as secrets.
    package init(
        maximumBytes: Int = 65_536,
        maximumDepth: Int = 32,
        maximumValues: Int = 262_144,
        replacesUnpairedSurrogates: Bool = false,
        hidesSecrets: Bool = false
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = min(maximumDepth, Self.deepest)
        self.maximumValues = maximumValues
        self.replacesUnpairedSurrogates = replacesUnpairedSurrogates
        self.hidesSecrets = hidesSecrets
    }
}
