#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What the environment says about how to show things.
enum Environment {
    /// Whether colours are wanted: no-color.org, and terminals that have none.
    static var wantsColour: Bool { (value(of: "NO_COLOR") ?? "").isEmpty && canMoveCursor }

    /// Whether the terminal understands more than plain text.
    static var canMoveCursor: Bool { value(of: "TERM") != "dumb" && value(of: "TERM") != nil }

    /// All variables.
    static var all: [String: String] { ProcessInfo.processInfo.environment }

    private static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
