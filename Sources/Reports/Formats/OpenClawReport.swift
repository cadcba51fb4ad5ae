package import DNSSD
internal import GatewayProtocol

/// Services in the format of `openclaw gateway discover --json`, for scripts that read its output.
///
/// As in that output, an unknown field is left out, except for `wsUrl`, which is then `null`. There is no `schema`,
/// because another program defines the format.
package enum OpenClawReport {
    /// Returns the services as one line of JSON, with a line feed at its end.
    ///
    /// - Parameter timeout: The time limit of the scan.
    package static func line(_ services: [DiscoveredService], timeout: Duration) -> String {
        JSONValue.object([
            "timeoutMs": JSONValue(timeout.wholeMilliseconds),
            "domains": JSONValue(["local."]),
            "count": JSONValue(services.count),
            "beacons": .array(services.map(beacon)),
        ])
        .line
    }

    /// Returns one service.
    private static func beacon(_ service: DiscoveredService) -> JSONValue {
        // In this format a TXT record is a dictionary of strings, without the keys that have no value.
        var txt: [String: String] = [:]
        for entry in service.txt?.entries ?? [] {
            guard let value = entry.value else { continue }
            txt[entry.key] = String(decoding: value, as: UTF8.self)
        }
        func text(_ key: String) -> String? { txt[key].flatMap { $0.isEmpty ? nil : $0 } }
        func number(_ key: String) -> JSONValue? { text(key).flatMap { Int($0) }.map { JSONValue($0) } }
        let tls = text("gatewayTls").map { ["1", "true", "yes"].contains($0.lowercased()) }
        var fields: [String: JSONValue] = [
            "instanceName": .string(service.instance.name),
            "domain": .string("\(service.instance.domain)."),
            "displayName": .string(text("displayName") ?? service.instance.name),
            "wsUrl": .null,
        ]
        fields["host"] = service.host.map { .string($0.escaped) }
        fields["port"] = service.port.map { JSONValue($0) }
        for key in ["lanHost", "tailnetDns", "cliPath", "role", "transport"] {
            fields[key] = text(key).map(JSONValue.string)
        }
        fields["gatewayPort"] = number("gatewayPort")
        fields["sshPort"] = number("sshPort")
        fields["gatewayTls"] = tls.map(JSONValue.bool)
        fields["gatewayTlsFingerprintSha256"] = text("gatewayTlsSha256").map(JSONValue.string)
        if !txt.isEmpty { fields["txt"] = .object(txt.mapValues(JSONValue.string)) }
        if let host = service.host?.escaped, let port = service.port, port > 0 {
            fields["wsUrl"] = .string("\(tls == true ? "wss" : "ws")://\(host):\(port)")
        }
        return .object(fields)
    }
}
