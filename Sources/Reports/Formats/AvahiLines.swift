package import DNSSD

/// Services as `avahi-browse --resolve --parsable --terminate` (`-rpt`) prints them, for scripts that parse its output.
///
/// One line `+;interface;protocol;name;type;domain` for each path, and one line `=;…;host;address;port;"txt" …` for each
/// path that is resolved. The service types are printed as they are on the network, as with `-k`.
package enum AvahiLines {
    /// Returns the lines, each with a line feed at its end: first those for all paths, then those for the resolved
    /// paths.
    package static func bytes(_ services: [DiscoveredService]) -> [UInt8] {
        let sightings = services.flatMap(\.sortedSightings)
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

    /// Returns one address, of the family of the path if there is one. The scope is left out, because the line names
    /// the interface already.
    private static func address(_ sighting: Sighting) -> String? {
        let own = sighting.addresses.filter { $0.family == sighting.path.family }
        switch (own.isEmpty ? sighting.addresses : own).min() {
        case .v4(let address): return "\(address)"
        case .v6(let address): return "\(IPv6Address(bits: address.bits))"
        case nil: return nil
        }
    }

    /// Returns an escaped name in the escaping of libavahi, however it was escaped before.
    static func host(_ name: String) -> String {
        guard let name = try? DomainName(escaped: name) else { return label(name.utf8) }
        return name.labels.map { label($0) }.joined(separator: ".")
    }

    /// Returns a label as libavahi escapes it: letters, digits, `-` and `_` unchanged, `.` and `\` after a backslash,
    /// and every other byte as `\DDD`.
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

    /// Returns the strings of a TXT record in quotation marks, as libavahi writes them: in reverse order.
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
        // Not DEL: libavahi tests the signed value of a byte, so that to it only the bytes below 0x20 and from 0x80 are
        // control characters.
        case 0..<0x20, 0x80...: Array("\\\(decimal(byte))".utf8)
        default: [byte]
        }
    }

    private static func decimal(_ byte: UInt8) -> String {
        "\(byte / 100)\(byte / 10 % 10)\(byte % 10)"
    }
}
