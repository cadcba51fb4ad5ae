#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The environment variables, and what they say about how to show things.
enum Environment {
    /// Indicates whether colours are wanted: `NO_COLOR` (no-color.org) is not set, and the terminal has some.
    static var wantsColour: Bool { (value(of: "NO_COLOR") ?? "").isEmpty && canMoveCursor }

    /// Indicates whether the terminal understands more than plain text.
    static var canMoveCursor: Bool { value(of: "TERM") != "dumb" && value(of: "TERM") != nil }

    /// The variables of these names that are set.
    static func values(of names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(of: name).map { (name, $0) } })
    }

    private static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
