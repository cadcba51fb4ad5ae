public import Discovery
public import Pairing

/// The settings of an ``Agent``.
public struct AgentConfiguration: Sendable {
    /// The version of the program, which gateways receive, and everybody who asks the agent.
    public var version: String

    /// The place of the agent's socket and lock.
    package var place: AgentPlace

    /// The environment variables by which a service manager says what it expects; see ``variables``.
    public var environment: [String: String]

    /// Locates the store of pairings, each time that it is opened.
    public var store: @Sendable () throws(StoreError) -> StoreLocation

    /// The path of the file from which the ``userSettings`` are; `nil` if they are from none.
    package var settingsFile: String?

    /// The backend that browses and publishes.
    public var backend: BackendChoice

    /// All settings of the user that are in force at the start.
    package var userSettings = Settings()

    /// The things that the user wants, at the start: see ``Agent/take(_:)``.
    public var settings: AgentSettings {
        get { AgentSettings(userSettings) }
        set { userSettings = userSettings.with(newValue) }
    }

    /// The environment variables that an agent reads.
    public static var variables: [String] { AgentPlace.variables + ServiceManager.variables + ReadToken.variables }

    /// Creates settings. These are the defaults:
    ///
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - environment: Those of the ``variables`` that are set. They determine the place.
    ///   - settings: None.
    ///   - store: The user's store of pairings.
    ///   - backend: avahi-daemon while it answers, otherwise the embedded engine.
    public init(
        version: String,
        environment: [String: String],
        settings: AgentSettings = AgentSettings(),
        store: @escaping @Sendable () throws(StoreError) -> StoreLocation = { () throws(StoreError) in
            try StoreLocation.standard()
        },
        backend: BackendChoice = .auto
    ) {
        self.version = version
        self.environment = environment
        self.place = AgentPlace(environment: environment)
        self.store = store
        self.backend = backend
        self.settings = settings
    }
}
