internal import Constellation
package import DNSSD
package import GatewayProtocol

extension NetworkInterface {
    var recording: JSONValue { .object(["index": JSONValue(index), "name": JSONValue(recording: name)]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            index: UInt32(try fields.int("index", in: 0...Int(UInt32.max))),
            name: try fields.text("name")
        )
    }
}

extension IPAddress {
    var recording: JSONValue {
        switch self {
        case .v4(let address):
            return .object(["ip": .string(address.description)])
        case .v6(let address):
            var fields: [String: JSONValue] = ["ip": .string(IPv6Address(bits: address.bits).description)]
            fields["scope"] = address.scope?.recording
            return .object(fields)
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        guard let address = IPAddress(try fields.text("ip")) else {
            throw fields.problem(at: "ip", expected: "an IP address")
        }
        if case .v6(let v6) = address, fields["scope"] != nil {
            let scope = try NetworkInterface(recording: try fields.fields("scope"))
            self = .v6(IPv6Address(bits: v6.bits, scope: scope))
        } else {
            self = address
        }
    }
}

extension Endpoint {
    var recording: JSONValue {
        var fields: [String: JSONValue] = ["address": address.recording, "port": JSONValue(port)]
        if resource != "/" { fields["resource"] = .string(resource) }
        if let serverName { fields["serverName"] = .string(serverName.description) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            address: try IPAddress(recording: try fields.fields("address")),
            port: UInt16(try fields.int("port", in: 0...65_535)),
            resource: try fields.optionalText("resource") ?? "/",
            serverName: try fields.optionalText("serverName").map { text throws(RecordingProblem) in
                guard let name = ServerName(text) else {
                    throw fields.problem(at: "serverName", expected: "a host name")
                }
                return name
            }
        )
    }
}

extension Machine {
    var recording: JSONValue {
        switch self {
        case .thisHost: .object([:])
        case .neighbour(let hardwareAddress):
            .object(["hardwareAddress": JSONValue(bytes: Array(hardwareAddress.prefix(RecordedFields.textLimit)))])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self =
            fields["hardwareAddress"] == nil
            ? .thisHost : .neighbour(hardwareAddress: try fields.bytes("hardwareAddress"))
    }
}

extension ServiceInstance {
    var recording: JSONValue {
        .object(["name": .string(name), "type": .string(type.description), "domain": .string(domain)])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let (name, type, domain) = (try fields.text("name"), try fields.text("type"), try fields.text("domain"))
        do {
            self = try ServiceInstance(name: name, type: ServiceType(type), domain: domain)
        } catch {
            throw fields.problem(at: "name", expected: "with “type” and “domain” a service instance: \(error)")
        }
    }
}

extension DiscoveredService {
    package var recording: JSONValue {
        // The order of the sightings decides which of them leads when they are read: the last resolved one does.
        let others = paths.filter { $0 != leadingPath }
        let ordered = others + [leadingPath].compactMap(\.self)
        return .object([
            "instance": instance.recording,
            "sightings": .array(ordered.suffix(RecordedFields.listLimit).compactMap { sighting(on: $0)?.recording }),
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(instance: try ServiceInstance(recording: try fields.fields("instance")))
        for value in try fields.list("sightings") {
            record(try Sighting(recording: RecordedFields(value, of: "a sighting"), of: instance))
        }
    }
}

extension Sighting {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "interface": path.interface.recording,
            "family": .string(path.family.rawValue),
            "source": JSONValue(recording: source.rawValue),
            "addresses": JSONValue(recording: addresses.lazy.map(\.recording)),
            "isOurs": .bool(isOurs),
        ]
        fields["host"] = host.map { .string($0.escaped) }
        if !heardFrom.isEmpty {
            fields["heardFrom"] = .array(heardFrom.suffix(Sighting.maximumSources).map(\.recording))
        }
        if isOwn, !isOurs { fields["isOwn"] = true }
        fields["port"] = port.map { JSONValue($0) }
        fields["txt"] = txt.map { .array($0.strings.map { JSONValue(bytes: $0) }) }
        switch resolution {
        case .resolving: fields["resolution"] = "resolving"
        case .resolved: fields["resolution"] = "resolved"
        case .failed(let reason): fields["resolution"] = .object(["failed": JSONValue(recording: reason)])
        }
        return .object(fields)
    }

    init(recording fields: RecordedFields, of instance: ServiceInstance) throws(RecordingProblem) {
        let addresses = try Self.addresses(try fields.list("addresses"))
        // Recordings of earlier versions do not have this field.
        let sources = fields["heardFrom"] == nil ? [] : try Self.addresses(try fields.list("heardFrom"))
        var txt: TXTRecord?
        if fields["txt"] != nil {
            let strings = try fields.list("txt").map { $0.bytes }
            let bytes = strings.compactMap(\.self)
            guard bytes.count == strings.count else {
                throw fields.problem(at: "txt", expected: "a list of texts or {\"base64\":…}")
            }
            txt = TXTRecord(strings: bytes)
        }
        let resolution: Resolution
        switch fields["resolution"]?.string {
        case "resolving": resolution = .resolving
        case "resolved": resolution = .resolved
        default: resolution = .failed(reason: try fields.fields("resolution").text("failed"))
        }
        self.init(
            instance: instance,
            path: ServicePath(
                interface: try NetworkInterface(recording: try fields.fields("interface")),
                family: try fields.rawValue("family", AddressFamily.self)
            ),
            source: SightingSource(rawValue: try fields.text("source")),
            resolution: resolution,
            host: try Self.host(fields),
            port: fields["port"] == nil ? nil : UInt16(try fields.int("port", in: 0...65_535)),
            addresses: addresses,
            txt: txt,
            heardFrom: sources.suffix(Sighting.maximumSources),
            isOurs: try fields.bool("isOurs"),
            isOwn: fields["isOwn"] == nil ? false : try fields.bool("isOwn")
        )
    }

    private static func addresses(_ values: [JSONValue]) throws(RecordingProblem) -> [IPAddress] {
        var addresses: [IPAddress] = []
        for value in values { addresses.append(try IPAddress(recording: RecordedFields(value, of: "an address"))) }
        return addresses
    }

    private static func host(_ fields: RecordedFields) throws(RecordingProblem) -> DomainName? {
        guard let text = try fields.optionalText("host") else { return nil }
        guard let name = try? DomainName(escaped: text) else {
            throw fields.problem(at: "host", expected: "a domain name")
        }
        return name
    }
}
