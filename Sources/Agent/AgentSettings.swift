package import GatewayProtocol
@_exported public import Scanning

/// The things that a user wants of an ``Agent``, each a member with the name and the meaning that it has in the
/// configuration file. A value.
///
/// ## Usage
///
/// ```swift
/// let home = "advertise: [{gateway: 'localhost:18789', name: Home}]"
/// let told = "notify: {quiet-hours: '22:00-07:00', sinks: [{name: desk, desktop: true}]}"
/// var settings = try AgentSettings(yaml: "\(home)\n\(told)")
/// settings.gateways = [try ProbeAddress("192.168.1.50:3000")]
/// agent.take(settings)
/// ```
public struct AgentSettings: Hashable, Sendable {
    /// The gateways that DNS-SD does not show.
    public var gateways: [ProbeAddress]

    /// The gateways of this host that are advertised while they answer, as the text names them. One that is there twice
    /// counts once.
    package var advertised: [AdvertisedGateway] = []

    /// Indicates whether each gateway of this host that nobody advertises is advertised while it answers.
    public var advertisesFound: Bool

    /// Indicates whether the ports of this host are asked at which gateways may listen, on loopback, too.
    public var findsOnThisHost: Bool

    /// The names and tags of the machines of the tailnet that are asked for gateways; all if there are none, and `nil` if none is
    /// asked.
    public var tailnet: [String]?

    /// The things that the user is told of, and how, as the text has them.
    package var notices = NoticeSettings()

    /// The trust in gateways without TLS that the user wants at pairing; `nil` if the user is to be asked.
    package var trust: PlainTrustSetting?

    /// Creates settings. By default, there are none. What a user is told of, and the gateways to advertise, are read by
    /// ``init(yaml:)``.
    public init(
        gateways: [ProbeAddress] = [],
        advertisesFound: Bool = false,
        findsOnThisHost: Bool = false,
        tailnet: [String]? = nil
    ) {
        self.gateways = gateways
        self.advertisesFound = advertisesFound
        self.findsOnThisHost = findsOnThisHost
        self.tailnet = tailnet
    }

    /// Reads settings from a text such as the configuration file has. Its other keys are checked, and not used.
    ///
    /// - Throws: An error whose description has a line for everything that is wrong in it.
    public init(yaml: String) throws {
        self.init(try Settings(yaml: yaml))
    }

    init(_ settings: Settings) {
        self.init(
            gateways: settings.gateways.value,
            advertisesFound: settings.advertisesFound.value,
            findsOnThisHost: settings.thisHost.value,
            tailnet: settings.tailnet.value
        )
        advertised = settings.advertised.value
        notices = settings.notify.value
        trust = settings.trust.value
    }
}

extension Settings {
    /// Returns these with those of a program, whose source nobody asks for.
    func with(_ new: AgentSettings) -> Settings {
        var settings = self
        settings.gateways = Setting(new.gateways, from: .standard)
        var advertised: [AdvertisedGateway] = []
        for gateway in new.advertised { try? advertised.add(gateway) }
        settings.advertised = Setting(advertised, from: .standard)
        settings.advertisesFound = Setting(new.advertisesFound, from: .standard)
        settings.thisHost = Setting(new.findsOnThisHost, from: .standard)
        settings.tailnet = Setting(new.tailnet, from: .standard)
        settings.notify = Setting(new.notices, from: .standard)
        settings.trust = Setting(new.trust, from: .standard)
        return settings
    }
}

extension PlainTrust {
    /// The same extent as the settings say it.
    package init(_ setting: PlainTrustSetting) {
        switch setting {
        case .address: self = .address
        case .lan: self = .lan
        }
    }
}
