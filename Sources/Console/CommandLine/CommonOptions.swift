internal import ArgumentParser
package import DNSSD
package import Discovery
package import Logging

/// The option that prints diagnostics.
package struct DiagnosticsOption: ParsableArguments {
    @Flag(help: "Print diagnostics to standard error.")
    package var verbose = false

    package init() {}

    /// The logger for `--verbose`; `nil` without that option.
    package var logger: Logger? {
        verbose ? Logger(label: "clawradar") { _ in ToolLogHandler() } : nil
    }
}

/// The options of verbs that look at the network.
package struct CommonOptions: ParsableArguments {
    @OptionGroup var diagnostics: DiagnosticsOption

    @Option(
        help: ArgumentHelp(
            """
            The backend that browses and publishes: auto is avahi-daemon while it answers, otherwise embedded; \
            bonjour is the daemon behind libdns_sd.
            """,
            valueName: "name"
        )
    )
    package var backend = BackendOption.auto

    package init() {}

    /// Indicates whether diagnostics are printed.
    package var verbose: Bool { diagnostics.verbose }

    /// The logger for `--verbose`; `nil` without that option.
    package var logger: Logger? { diagnostics.logger }

    /// Makes the backend that was chosen.
    package func makeBackend(
        maximumServices: Int = BrowserConfiguration.mostServices,
        wideArea: WideAreaConfiguration = WideAreaConfiguration(),
        logger: Logger?
    ) throws(BackendError) -> any ServiceBackend {
        try Backends.make(backend.choice, maximumServices: maximumServices, wideArea: wideArea, logger: logger)
    }
}

/// The name of a backend on the command line.
package enum BackendOption: String, ExpressibleByArgument, CaseIterable {
    case auto
    case avahi
    case bonjour
    case embedded

    package var choice: BackendChoice {
        switch self {
        case .auto: .auto
        case .avahi: .avahi
        case .bonjour: .bonjour
        case .embedded: .embedded
        }
    }
}

/// The format in which a command prints its one result.
package enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case table

    /// One object, at the end.
    case json
}
