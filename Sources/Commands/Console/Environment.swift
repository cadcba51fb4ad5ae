internal import Glibc

/// The environment variables, and the capabilities of the terminal that they describe.
package enum Environment {
    /// Indicates whether to use colours: `NO_COLOR` (no-color.org) is not set, and the terminal understands control
    /// sequences.
    static var wantsColour: Bool { (value(of: "NO_COLOR") ?? "").isEmpty && canMoveCursor }

    /// Indicates whether the terminal understands control sequences.
    static var canMoveCursor: Bool { value(of: "TERM") != "dumb" && value(of: "TERM") != nil }

    /// Returns those of the named variables that are set.
    package static func values(of names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(of: name).map { (name, $0) } })
    }

    private static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
