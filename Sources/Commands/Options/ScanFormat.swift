internal import ArgumentParser

/// The format in which a scan is printed.
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

    /// Indicates whether it shows what is advertised, and has no place for anything else.
    var isOfServices: Bool { self == .openclaw || self == .avahi }
}
