internal import ArgumentParser

/// The format in which a watch is printed.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people: a live table on a terminal, elsewhere one line for each change.
    case table

    /// One object a line for each change.
    case ndjson
}
