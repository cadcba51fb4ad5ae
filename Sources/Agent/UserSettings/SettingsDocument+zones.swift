internal import DNSSD
internal import Discovery
internal import Yams

/// The settings of zones in which is published.
extension SettingsDocument {
    /// The maximum number of gateways.
    private static let mostNames = 256

    mutating func takeSite(_ node: Node, _ line: Int?) {
        let expected =
            "site: expected “zone”, “key”, and, if you like, “server” and “gateways” (all, or a list of names and fingerprints)"
        guard case .mapping(let mapping) = node else { return problem("\(expected); found something else", line) }
        for (name, _) in mapping where !["zone", "key", "server", "gateways"].contains(name.string) {
            problem("\(expected); found \(Self.shown(name))", name.mark?.line ?? line)
        }
        var wrong: [ConfigurationProblem] = []
        let zone = Self.zone(mapping, &wrong)
        for wrong in wrong { problem("site: \(wrong)", line) }
        if zone == nil, wrong.isEmpty { problem("\(expected); found no zone", line) }
        var gateways: [SiteGateway]?
        if let value = mapping["gateways"].flatMap(Self.value), value.scalar?.string != "all" {
            guard case .sequence(let entries) = value, entries.count <= Self.mostNames,
                case let read = entries.compactMap({ $0.scalar.flatMap { SiteGateway($0.string) } }),
                read.count == entries.count
            else {
                return problem(
                    "site, gateways: expected all or a list of names and of fingerprints such as fingerprint:abc123, found something else",
                    value.mark?.line
                )
            }
            gateways = read
        }
        if let zone { site = Setting(SiteSetting(zone: zone, gateways: gateways), from: source(line)) }
    }

    /// Returns the zone that an entry names; `nil` if it names none, or if something is wrong.
    ///
    /// - Parameter problems: Gets everything that is wrong in it.
    static func zone(_ mapping: Node.Mapping, _ problems: inout [ConfigurationProblem]) -> ZoneSetting? {
        let text = { (name: String) in mapping[name].flatMap(value)?.scalar?.string }
        guard let name = text("zone") else {
            for other in ["key", "server"] where mapping[other] != nil {
                problems.append(ConfigurationProblem("“\(other)” goes with “zone”, found no zone"))
            }
            return nil
        }
        guard let key = text("key"), key.hasPrefix("/") else {
            problems.append(
                ConfigurationProblem("key: expected the path of the zone's key file that begins with /, found none")
            )
            return nil
        }
        var server: Endpoint?
        if let address = text("server") {
            server = DNSServerAddress(address)?.endpoint
            if server == nil {
                problems.append(
                    ConfigurationProblem("server: expected an IP address such as 192.0.2.53, found another text")
                )
            }
        }
        do throws(ConfigurationProblem) {
            return ZoneSetting(domain: try ZoneDomain.read(name), key: key, server: server)
        } catch {
            problems.append(ConfigurationProblem("zone: \(error)"))
            return nil
        }
    }
}
