public import DNSSD

/// Services as `avahi-browse --resolve --parsable --terminate` (`-rpt`) prints them, for scripts that read that.
///
/// One line `+;interface;protocol;name;type;domain` for each path, and one line `=;…;host;address;port;"txt" …` for each
/// path that is resolved. The types are as on the network, as with `-k`.
public enum AvahiLines {
    /// The lines, each with its end, first all that are seen and then all that are resolved.
    public static func bytes(_ services: [DiscoveredService]) -> [UInt8] {
        let sightings = services.flatMap { service in service.paths.compactMap { service.sightings[$0] } }
        let resolved = sightings.compactMap { sighting in location(sighting).map { line("=", sighting) + $0 } }
        return (sightings.map { line("+", $0) } + resolved).flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    private static func line(_ event: String, _ sighting: Sighting) -> [UInt8] {
        let instance = sighting.instance
        let family = sighting.path.family == .ipv4 ? "IPv4" : "IPv6"
        let interface = sighting.path.interface.name
        let name = label(instance.name.utf8)
        return Array("\(event);\(interface);\(family);\(name);\(instance.type);\(host(instance.domain))".utf8)
    }

    private static func location(_ sighting: Sighting) -> [UInt8]? {
        guard sighting.resolution == .resolved, let host = sighting.host?.escaped, let port = sighting.port,
            let address = address(sighting)
        else { return nil }
        return Array(";\(Self.host(host));\(address);\(port);".utf8) + text(sighting.txt ?? TXTRecord())
    }

    /// One address, of the path's own family where there is one; the interface stands in the line already.
    private static func address(_ sighting: Sighting) -> String? {
        let own = sighting.addresses.filter { $0.family == sighting.path.family }
        switch (own.isEmpty ? sighting.addresses : own).min() {
        case .v4(let address): return "\(address)"
        case .v6(let address): return "\(IPv6Address(bits: address.bits))"
        case nil: return nil
        }
    }

    /// An escaped name as libavahi escapes it, whichever way it was escaped before.
    static func host(_ name: String) -> String {
        guard let name = try? DomainName(escaped: name) else { return label(name.utf8) }
        return name.labels.map { label($0) }.joined(separator: ".")
    }

    /// A label as libavahi escapes it: letters, digits, `-` and `_` as they are, `.` and `\` behind a backslash, and
    /// every other byte as `\DDD`.
    private static func label(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            let scalar = Unicode.Scalar(byte)
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(scalar)
            case UInt8(ascii: "."), UInt8(ascii: "\\"):
                text.unicodeScalars.append(contentsOf: ["\\", scalar])
            default:
                text += "\\\(decimal(byte))"
            }
        }
        return text
    }

    /// The strings of a TXT record between quotation marks, as libavahi writes them: the last of the record first.
    private static func text(_ txt: TXTRecord) -> [UInt8] {
        let quotation = UInt8(ascii: "\"")
        let strings = txt.strings.map { string -> [UInt8] in
            [quotation] + string.flatMap(escaped) + [quotation]
        }
        return Array(strings.reversed().joined(separator: [UInt8(ascii: " ")]))
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
        // Not DEL: libavahi takes what is a control character by its sign.
        case 0..<0x20, 0x80...: Array("\\\(decimal(byte))".utf8)
        default: [byte]
        }
    }

    private static func decimal(_ byte: UInt8) -> String {
        "\(byte / 100)\(byte / 10 % 10)\(byte % 10)"
    }
}
