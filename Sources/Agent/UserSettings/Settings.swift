package import DNSSD
package import Discovery
package import Scanning

/// The settings of a user, from the environment and the configuration file.
///
/// A variable that is set replaces the list of the file completely: `CLAWRADAR_GATEWAYS=` with an empty value means
/// none.
package struct Settings: Hashable, Sendable {
    /// The variable with the gateways, separated by commas.
    package static let gatewaysVariable = "CLAWRADAR_GATEWAYS"

    /// The environment variables that are read, including those that determine the location of the file.
    package static let variables = [gatewaysVariable] + ConfigurationFile.variables

    /// The gateways that DNS-SD does not show, in their order.
    package var gateways = Setting<[ProbeAddress]>([], from: .standard)

    /// The gateways of this host that an agent advertises, in their order.
    package var advertised = Setting<[AdvertisedGateway]>([], from: .standard)

    /// Indicates whether an agent advertises each gateway of this host that nobody advertises.
    package var advertisesFound = Setting(false, from: .standard)

    /// The zone in which an agent publishes the gateways of its LAN.
    package var site = Setting<SiteSetting?>(nil, from: .standard)

    /// Indicates whether an agent asks the ports of this host at which gateways may listen.
    package var thisHost = Setting(false, from: .standard)

    /// The names and tags of the machines of the tailnet that an agent asks; all if there are none, and `nil` if none is asked.
    package var tailnet = Setting<[String]?>(nil, from: .standard)

    /// Of what the user is told, and how.
    package var notify = Setting(NoticeSettings(), from: .standard)

    /// The service types that are looked for; all of gateways if there are none.
    package var types = Setting<[ServiceType]>([], from: .standard)

    /// The interfaces of this host that are used for looking; all if there are none.
    package var interfaces = Setting<[String]>([], from: .standard)

    /// The domains that are browsed by unicast DNS, beside the network.
    package var domains = Setting<[DomainName]>([], from: .standard)

    /// The DNS servers that are asked for them; those of the system if there are none.
    package var server = Setting<[DNSServerAddress]>([], from: .standard)

    /// The zones to browse.
    package var wideArea: WideAreaConfiguration {
        WideAreaConfiguration(domains: domains.value, servers: server.value.map(\.endpoint))
    }

    /// The trust in gateways without TLS at pairing, where the command line does not say it.
    package var trust = Setting<PlainTrustSetting?>(nil, from: .standard)

    /// The port of this host at which an agent answers.
    package var port = Setting<UInt16?>(nil, from: .standard)

    /// The names by which browsers reach the page of an agent, besides those that every host has.
    package var pageNames = Setting<[String]>([], from: .standard)

    /// The file to which an agent writes its metrics.
    package var metricsFile = Setting<String?>(nil, from: .standard)

    package init() {}

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - environment: The ``variables`` that are set.
    ///   - file: The file; `nil` for none.
    ///   - warn: Reports why the file is ignored.
    /// - Throws: Everything that is wrong, each with the line of the file or the variable, the entry in it, and what was
    ///   expected.
    package init(
        environment: [String: String],
        file: ConfigurationFile?,
        warn: (String) -> Void
    ) throws(ConfigurationError) {
        let typed = Self.gateways(in: environment)
        var document = SettingsDocument()
        var problems = typed?.problems ?? []
        do throws(ConfigurationProblem) {
            if let file, let bytes = try file.read(orWarn: warn) { document = SettingsDocument(bytes, of: file) }
        } catch {
            problems.append(error)
        }
        problems += document.problems
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        take(document)
        if let typed { gateways = Setting(typed.addresses, from: .variable(Self.gatewaysVariable)) }
    }

    /// Reads settings from a text such as the file has.
    package init(yaml: String) throws(ConfigurationError) {
        let document = SettingsDocument(Array(yaml.utf8), of: ConfigurationFile(path: "settings"))
        guard document.problems.isEmpty else { throw ConfigurationError(document.problems) }
        take(document)
    }

    private mutating func take(_ document: SettingsDocument) {
        gateways = document.gateways ?? gateways
        types = document.types ?? types
        interfaces = document.interfaces ?? interfaces
        domains = document.domains ?? domains
        server = document.server ?? server
        advertised = document.advertised ?? advertised
        advertisesFound = document.advertisesFound ?? advertisesFound
        site = document.site ?? site
        notify = document.notify ?? notify
        trust = document.trust ?? trust
        port = document.port ?? port
        pageNames = document.pageNames ?? pageNames
        metricsFile = document.metricsFile ?? metricsFile
        thisHost = document.thisHost ?? thisHost
        tailnet = document.tailnet ?? tailnet
    }

    /// Indicates whether the ports of this host are asked: whoever wants its gateways advertised wants them found.
    package var findsOnThisHost: Bool { thisHost.value || advertisesFound.value }

    /// Reads the gateways that DNS-SD does not show. A file that is not needed for that is not read.
    package static func gateways(
        environment: [String: String],
        file: ConfigurationFile?,
        warn: (String) -> Void
    ) throws(ConfigurationError) -> [ProbeAddress] {
        if let typed = gateways(in: environment) {
            guard typed.problems.isEmpty else { throw ConfigurationError(typed.problems) }
            return typed.addresses
        }
        return try Settings(environment: environment, file: file, warn: warn).gateways.value
    }

    /// Returns the gateways that the variable names, and everything that is wrong in it; `nil` if it is not set.
    private static func gateways(
        in environment: [String: String]
    ) -> (addresses: [ProbeAddress], problems: [ConfigurationProblem])? {
        guard let text = environment[gatewaysVariable] else { return nil }
        let texts = text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
        let list = AddressList(texts.filter { !$0.isEmpty })
        return (list.addresses, list.problems.map { ConfigurationProblem("\(gatewaysVariable): \($0.text)") })
    }
}

/// The trust in gateways without TLS that the user wants where a command does not say it.
package enum PlainTrustSetting: String, Hashable, Sendable, CaseIterable {
    /// At the address that a gateway has when it is paired.
    case address

    /// Anywhere in its network.
    case lan
}
