package import DNSSD
package import GatewayProtocol
internal import Scanning

extension NetworkInterface: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["index": index, "name": name]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(index: fields.value("index"), name: fields.value("name"))
    }
}

extension IPAddress: RecordedObject {
    var recording: JSONValue {
        switch self {
        case .v4(let address): JSONValue(recording: ["ip": address.description])
        case .v6(let address):
            JSONValue(recording: ["ip": IPv6Address(bits: address.bits).description, "scope": address.scope])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        guard let address = IPAddress(try fields.value("ip")) else {
            throw fields.problem(at: "ip", expected: "an IP address")
        }
        if case .v6(let v6) = address, fields["scope"] != nil {
            self = .v6(IPv6Address(bits: v6.bits, scope: try fields.value("scope")))
        } else {
            self = address
        }
    }
}

extension ServerName: RecordedText {
    static var expectation: String { "a host name" }
    var recordedText: String { description }
    init?(recordedText: String) { self.init(recordedText) }
}

extension Endpoint: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "address": address, "port": port, "resource": resource == "/" ? nil : resource, "serverName": serverName,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            address: fields.value("address"),
            port: fields.value("port"),
            resource: fields.optional("resource") ?? "/",
            serverName: fields.optional("serverName")
        )
    }
}

extension Machine: RecordedObject {
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

extension ServiceInstance: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["name": name, "type": type.description, "domain": domain]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let (name, type, domain): (String, String, String) =
            try (fields.value("name"), fields.value("type"), fields.value("domain"))
        do {
            self = try ServiceInstance(name: name, type: ServiceType(type), domain: domain)
        } catch {
            throw fields.problem(at: "name", expected: "with “type” and “domain” a service instance: \(error)")
        }
    }
}

extension DiscoveredService: RecordedObject {
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
        self.init(instance: try fields.value("instance"))
        let sightings: [JSONValue] = try fields.value("sightings")
        for value in sightings {
            record(try Sighting(recording: RecordedFields(value, of: "a sighting"), of: instance))
        }
    }
}

extension Sighting {
    var recording: JSONValue {
        JSONValue(recording: [
            "interface": path.interface, "family": path.family, "source": source, "addresses": addresses,
            "isOurs": isOurs, "host": host, "isOwn": isOwn && !isOurs ? true : nil, "port": port, "txt": txt,
            "heardFrom": heardFrom.isEmpty ? nil : heardFrom.suffix(Sighting.maximumSources).map(\.recording),
            "resolution": resolution,
        ])
    }

    init(recording fields: RecordedFields, of instance: ServiceInstance) throws(RecordingProblem) {
        // Recordings of earlier versions do not have this field.
        let sources: [IPAddress] = try fields.optional("heardFrom") ?? []
        try self.init(
            instance: instance,
            path: ServicePath(interface: fields.value("interface"), family: fields.value("family")),
            source: fields.value("source"),
            resolution: fields.value("resolution"),
            host: fields.optional("host"),
            port: fields.optional("port"),
            addresses: fields.value("addresses"),
            txt: fields.optional("txt"),
            heardFrom: sources.suffix(Sighting.maximumSources),
            isOurs: fields.value("isOurs"),
            isOwn: fields.optional("isOwn") ?? false
        )
    }
}

extension Resolution: Recorded {
    var recording: JSONValue {
        switch self {
        case .resolving: "resolving"
        case .resolved: "resolved"
        case .failed(let reason): JSONValue(recording: ["failed": reason])
        }
    }

    static func read(
        _ value: JSONValue,
        _ key: String,
        of fields: RecordedFields
    ) throws(RecordingProblem) -> Resolution {
        switch value.string {
        case "resolving": .resolving
        case "resolved": .resolved
        default: .failed(reason: try RecordedFields(value, of: "“\(key)” of \(fields.subject)").value("failed"))
        }
    }
}

extension TXTRecord: Recorded {
    var recording: JSONValue { .array(strings.map { JSONValue(bytes: $0) }) }

    static func read(
        _ value: JSONValue,
        _ key: String,
        of fields: RecordedFields
    ) throws(RecordingProblem) -> TXTRecord {
        let strings = try [JSONValue].read(value, key, of: fields).map(\.bytes)
        let bytes = strings.compactMap(\.self)
        guard bytes.count == strings.count else {
            throw fields.problem(at: key, expected: "a list of texts or {\"base64\":…}")
        }
        return TXTRecord(strings: bytes)
    }
}

extension DomainName: RecordedText {
    static var expectation: String { "a domain name" }
    var recordedText: String { escaped }

    init?(recordedText: String) {
        guard let name = try? DomainName(escaped: recordedText) else { return nil }
        self = name
    }
}
