/// One setting that is in force, and the place that it comes from.
package struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
    package let value: Value
    package let source: SettingSource

    package init(_ value: Value, from source: SettingSource) {
        self.value = value
        self.source = source
    }
}

/// The place that a setting comes from.
package enum SettingSource: Hashable, Sendable, CustomStringConvertible {
    /// It was not set.
    case standard

    /// A line of a file, counted from 1.
    case file(path: String, line: Int)

    /// A variable of the environment.
    case variable(String)

    /// The command line.
    case commandLine

    /// The place, for people.
    package var description: String {
        switch self {
        case .standard: "not set"
        case .file(let path, let line): "\(path):\(line)"
        case .variable(let name): name
        case .commandLine: "the command line"
        }
    }
}
