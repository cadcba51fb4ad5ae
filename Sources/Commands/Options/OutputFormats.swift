internal import ArgumentParser

/// The format in which a scan is printed.
enum ScanFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table

    /// One object, at the end.
    case json

    /// One object a line, each printed as soon as it is known.
    case ndjson

    /// The format of `openclaw gateway discover --json`.
    case openclaw

    /// The lines of `avahi-browse -rpt`.
    case avahi

    /// Indicates whether the format can show only advertised services.
    var isOfServices: Bool { self == .openclaw || self == .avahi }
}

/// The format in which a watch is printed.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people: a live table on a terminal, elsewhere one line for each change.
    case table

    /// One object a line for each change.
    case ndjson
}
