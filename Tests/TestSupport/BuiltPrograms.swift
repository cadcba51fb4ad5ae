public import Foundation

/// The programs of this package that the tests run.
public enum BuiltPrograms {
    /// The tool under test: the one that was built together with the tests, or the one that `CLAWRADAR_BINARY` names.
    public static let clawradar =
        ProcessInfo.processInfo.environment["CLAWRADAR_BINARY"].map { URL(filePath: $0) }
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "clawradar")

    /// Returns another program, which lies beside the tool.
    public static func named(_ name: String) -> URL {
        clawradar.deletingLastPathComponent().appending(path: name)
    }
}
