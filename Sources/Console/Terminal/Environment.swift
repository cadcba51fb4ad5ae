internal import Glibc

/// The environment variables, and the capabilities of the terminal that they describe.
package enum Environment {
    /// Indicates whether to use colours: `NO_COLOR` (no-color.org) is not set, and the terminal understands control
    /// sequences.
    package static var wantsColour: Bool { (value(of: "NO_COLOR") ?? "").isEmpty && canMoveCursor }

    /// Indicates whether the terminal understands control sequences.
    package static var canMoveCursor: Bool { value(of: "TERM") != "dumb" && value(of: "TERM") != nil }

    /// Indicates whether the user's locale has UTF-8: the first of its variables that is set counts.
    package static var hasUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
        return locale?.uppercased().replacing("-", with: "").contains("UTF8") == true
    }

    /// The folder in which relative paths begin; `nil` where it has been removed.
    package static var workingFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns those of the named variables that are set.
    package static func values(of names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(of: name).map { (name, $0) } })
    }

    private static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
