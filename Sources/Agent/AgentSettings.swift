public import GatewayProtocol
@_exported public import Scanning

/// The things that a user wants of an ``Agent``, each a member with the name and the meaning that it has in the
/// configuration file. A value.
///
/// ## Usage
///
/// ```swift
/// var settings = try AgentSettings(yaml: "notify: {sinks: [{name: desk, desktop: true}]}")
/// settings.gateways = [try ProbeAddress("192.168.1.50:3000")]
/// settings.advertised = [try AdvertisedGateway(ProbeAddress("localhost:18789"), name: "Home")]
/// settings.notices.policy.quietHours = QuietHours("22:00-07:00")
/// agent.take(settings)
/// ```
public struct AgentSettings: Hashable, Sendable {
    /// The gateways that DNS-SD does not show.
    public var gateways: [ProbeAddress]

    /// The gateways of this host that are advertised while they answer. One that is there twice counts once.
    public var advertised: [AdvertisedGateway]

    /// Indicates whether each gateway of this host that nobody advertises is advertised while it answers.
    public var advertisesFound: Bool

    /// Indicates whether the ports of this host are asked at which gateways may listen, on loopback, too.
    public var findsOnThisHost: Bool

    /// The names and tags of the machines of the tailnet that are asked for gateways; all if there are none, and `nil` if none is
    /// asked.
    public var tailnet: [String]?

    /// The things that the user is told of, and how. A sink is made of its text: see ``init(yaml:)``.
    public var notices: NoticeSettings

    /// The trust in gateways without TLS that the user wants at pairing; `nil` if the user is to be asked. The agent itself
    /// answers no such question: give it to `PairingConsent` where your program pairs.
    public var trust: PlainTrustSetting?

    /// Creates settings. By default, there are none.
    public init(
        gateways: [ProbeAddress] = [],
        advertised: [AdvertisedGateway] = [],
        advertisesFound: Bool = false,
        findsOnThisHost: Bool = false,
        tailnet: [String]? = nil,
        notices: NoticeSettings = NoticeSettings(),
        trust: PlainTrustSetting? = nil
    ) {
        self.gateways = gateways
        self.advertised = advertised
        self.advertisesFound = advertisesFound
        self.findsOnThisHost = findsOnThisHost
        self.tailnet = tailnet
        self.notices = notices
        self.trust = trust
    }

    /// Reads settings from a text such as the configuration file has. Its other keys are checked, and not used.
    ///
    /// - Throws: Everything that is wrong in it, each with its line.
    public init(yaml: String) throws(ConfigurationError) {
        self.init(try Settings(yaml: yaml))
    }

    init(_ settings: Settings) {
        self.init(
            gateways: settings.gateways.value,
            advertised: settings.advertised.value,
            advertisesFound: settings.advertisesFound.value,
            findsOnThisHost: settings.thisHost.value,
            tailnet: settings.tailnet.value,
            notices: settings.notify.value,
            trust: settings.trust.value
        )
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
    public init(_ setting: PlainTrustSetting) {
        switch setting {
        case .address: self = .address
        case .lan: self = .lan
        }
    }
}
