internal import ArgumentParser

/// The format in which a probe is printed.
enum ProbeFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table

    /// One object, at the end.
    case json
}
