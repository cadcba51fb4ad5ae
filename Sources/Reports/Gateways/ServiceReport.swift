package import DNSSD
package import GatewayProtocol

/// One DNS-SD service: its location, its records, and the paths on which it was seen.
package struct ServiceReport: JSONReport {
    private let service: DiscoveredService

    /// Creates the report of a service, which need not be resolved.
    package init(_ service: DiscoveredService) {
        self.service = service
    }

    package var fields: [String: JSONValue] {
        var fields = service.instance.reportFields
        fields["host"] = JSONValue(service.host?.escaped)
        fields["port"] = JSONValue(service.port)
        fields["addresses"] = JSONValue(service.addresses.map(\.description))
        fields["paths"] = .array(service.sortedSightings.map(\.report))
        fields["txt"] = service.txt?.report ?? .null
        fields["gateway"] = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord()).report
        fields["isOurs"] = .bool(service.isOurs)
        // Present only if the service is not resolved.
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
    /// One path on which a service was seen, with the first address to try of those that were seen on this path.
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
    /// The details about a gateway in its advertisement; `problems` lists the values that could not be used, as texts
    /// for people.
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
