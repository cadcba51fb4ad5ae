internal import ArgumentParser
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
package import Logging
internal import UserSettings

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
    var backend = BackendOption.auto

    package init() {}

    /// Indicates whether diagnostics are printed.
    package var verbose: Bool { diagnostics.verbose }

    /// The logger for `--verbose`; `nil` without that option.
    package var logger: Logger? { diagnostics.logger }

    /// Makes the backend that was chosen.
    func makeBackend(
        maximumServices: Int = BrowserConfiguration.mostServices,
        logger: Logger?
    ) throws(BackendError) -> any ServiceBackend {
        try Backends.make(backend.choice, maximumServices: maximumServices, logger: logger)
    }

    /// Makes a browser with the backend that was chosen. Without types and interfaces, those of the settings count, or
    /// else all.
    func makeBrowser(
        types: [ServiceType],
        interfaces: [String],
        maximumServices: Int,
        logger: Logger?
    ) throws(CommandFailure) -> Browser {
        let backend: any ServiceBackend
        do {
            backend = try makeBackend(maximumServices: maximumServices, logger: logger)
        } catch {
            throw CommandFailure(error)
        }
        let settings = types.isEmpty || interfaces.isEmpty ? SettingsReader.settingsOrWarnings() : Settings()
        let wanted = types.isEmpty ? settings.types.value : types
        let configuration = BrowserConfiguration(
            types: wanted.isEmpty ? ServiceType.gatewayTypes : wanted,
            interfaces: Set(interfaces.isEmpty ? settings.interfaces.value : interfaces),
            maximumServices: maximumServices
        )
        return Browser(configuration, backend: backend)
    }
}

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
