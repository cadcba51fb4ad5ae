internal import ArgumentParser

/// How a scan is printed.
enum ScanFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table

    /// One object, at the end.
    case json

    /// One object a line, each as soon as the service is resolved.
    case ndjson
}
