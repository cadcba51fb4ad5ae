internal import ArgumentParser
internal import Discovery

/// The name of a backend on the command line.
enum BackendOption: String, ExpressibleByArgument, CaseIterable {
    case auto
    case avahi
    case bonjour
    case embedded

    var choice: BackendChoice {
        switch self {
        case .auto: .auto
        case .avahi: .avahi
        case .bonjour: .bonjour
        case .embedded: .embedded
        }
    }
}
