internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// One service as people see it: every text is cleaned.
struct ServiceRow: Hashable {
    let name: String
    let fingerprint: String
    let bots: String
    let version: String

    /// The address to connect to.
    let address: String
    let type: String

    /// The interfaces and address families on which it was seen, such as `eth0 v4+v6`.
    let paths: String

    /// The problems with the service.
    let remarks: [String]

    /// The text for an unknown value.
    private static let absent = "-"

    init(_ service: DiscoveredService) {
        let gateway = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        self.name = DisplayText(Self.name(service, gateway), limit: 64).text
        self.fingerprint = gateway.fingerprint.map { DisplayText($0.description, limit: 64).text } ?? Self.absent
        self.bots = gateway.bots.map(String.init) ?? Self.absent
        self.version = gateway.version.map(String.init) ?? Self.absent
        self.type = service.instance.type.description
        self.paths = Self.paths(service.paths)
        if let obstacle = service.resolution.obstacle {
            self.address = "not resolved"
            self.remarks = [DisplayText(sentence: obstacle).text] + gateway.problems.map { "\($0)" }
        } else {
            self.address = Self.address(service) ?? Self.absent
            self.remarks = gateway.problems.map { "\($0)" }
        }
    }

    /// Returns the name of the gateway, with the number that was appended to the instance name after a conflict,
    /// because only that number distinguishes two gateways with the same name.
    private static func name(_ service: DiscoveredService, _ gateway: GatewayAdvertisement) -> String {
        let ofInstance = GatewayAdvertisement(instance: service.instance, txt: TXTRecord()).name
        let number = ofInstance.dropFirst(gateway.name.count)
        let isNumbered = ofInstance.hasPrefix(gateway.name) && (number.hasPrefix(" #") || number.hasPrefix(" ("))
        return isNumbered ? ofInstance : gateway.name
    }

    private static func address(_ service: DiscoveredService) -> String? {
        guard let port = service.port, let address = service.addresses.first else { return nil }
        return Endpoint(address: address, port: port).description
    }

    private static func paths(_ paths: [ServicePath]) -> String {
        var families: [(interface: String, families: [String])] = []
        for path in paths where path != .zone {
            let family = path.family == .ipv4 ? "v4" : "v6"
            if families.last?.interface == path.interface.name {
                families[families.count - 1].families.append(family)
            } else {
                families.append((path.interface.name, [family]))
            }
        }
        let links = families.map { "\($0.interface) \($0.families.joined(separator: "+"))" }
        return (links + (paths.contains(.zone) ? ["dns"] : [])).joined(separator: ", ")
    }
}
