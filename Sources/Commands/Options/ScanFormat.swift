internal import ArgumentParser

/// How a scan is printed.
enum ScanFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table

    /// One object, at the end.
    case json

    /// One object a line, each as soon as it is known.
    case ndjson

    /// The shape of `openclaw gateway discover --json`.
    case openclaw

    /// The lines of `avahi-browse -rpt`.
    case avahi

    /// Whether it shows what is advertised, and nothing else could be in it.
    var isOfServices: Bool { self == .openclaw || self == .avahi }
}
