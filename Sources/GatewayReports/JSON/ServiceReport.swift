public import DNSSD
public import GatewayProtocol

/// One DNS-SD service: where it is, what it advertises, and by which paths it was seen.
public struct ServiceReport: JSONReport {
    private let service: DiscoveredService

    public init(_ service: DiscoveredService) {
        self.service = service
    }

    public var fields: [String: JSONValue] {
        var fields = service.instance.reportFields
        fields["host"] = JSONValue(service.host?.escaped)
        fields["port"] = JSONValue(service.port)
        fields["addresses"] = JSONValue(service.addresses.map(\.description))
        fields["paths"] = .array(service.paths.compactMap { service.sightings[$0]?.report })
        fields["txt"] = service.txt?.report ?? .null
        fields["gateway"] = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord()).report
        fields["isOurs"] = .bool(service.isOurs)
        // There only where it is not resolved.
        fields["unresolved"] = service.resolution.obstacle.map(JSONValue.string)
        return fields
    }
}

extension ServiceInstance {
    /// The DNS-SD identity; the name is not escaped.
    var reportFields: [String: JSONValue] {
        ["instance": .string(name), "type": .string(type.description), "domain": .string(domain)]
    }
}

extension Sighting {
    /// One way by which a service was seen, with the address to connect to first of those that were seen this way.
    fileprivate var report: JSONValue {
        .object([
            "interface": .string(path.interface.name),
            "family": .string(path.family.rawValue),
            "address": JSONValue(addresses.min()?.description),
            "port": JSONValue(port),
            "source": .string(source.rawValue),
        ])
    }
}

extension TXTRecord {
    /// The record as an object; a key without a value has `null`.
    var report: JSONValue {
        var fields: [String: JSONValue] = [:]
        for entry in entries { fields[entry.key] = JSONValue(bytes: entry.value) }
        return .object(fields)
    }
}

extension GatewayAdvertisement {
    /// The details that a service advertises of its gateway; `problems` are the values that could not be used, for people.
    fileprivate var report: JSONValue {
        .object([
            "fingerprint": JSONValue(bytes: fingerprint?.bytes),
            "name": .string(name),
            "bots": JSONValue(bots),
            "version": JSONValue(version),
            "problems": JSONValue(problems.map { "\($0)" }),
        ])
    }
}
