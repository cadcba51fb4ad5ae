internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The target that the user wants to probe: an address, a host, or the name of a gateway or bot as `scan` shows it.
enum ProbeSubject: Hashable, Sendable {
    /// The address of the gateway.
    case address(ProbeAddress)

    /// A host without a port, which is asked at the ports at which gateways usually listen.
    case host(String)

    /// The name of the gateway.
    case name(String)

    /// The maximum length of a name, in bytes.
    private static let longestName = 255

    /// Parses the text that was typed. A text that looks like an address but is not valid is an error, and not taken
    /// for a name that would never be found.
    init(_ text: String) throws(ArgumentProblem) {
        // The identifier of a row, which looks like a host with a port.
        if Self.isName(text) || GatewayID(text) != nil {
            self = .name(text)
            return
        }
        if let host = ProbeAddress.host(text) {
            self = .host(host)
            return
        }
        do {
            self = .address(try ProbeAddress(text))
        } catch {
            throw ArgumentProblem("\(error)")
        }
    }

    /// The addresses to ask: of a host without a port, those of the ports at which gateways usually listen.
    var addresses: [ProbeAddress] {
        switch self {
        case .address(let address): return [address]
        case .host(let host):
            return (try? ProbeAddress(orHost: host))?.places ?? []
        case .name: return []
        }
    }

    /// Indicates whether a text can only be a name: it contains a space or a character outside of ASCII, or none of the
    /// punctuation of an address but the slash of `GATEWAY/BOT`.
    private static func isName(_ text: String) -> Bool {
        guard (1...longestName).contains(text.utf8.count), !text.contains("://") else { return false }
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), scalars.contains(where: { $0 != " " })
        else { return false }
        if scalars.contains(where: { $0 == " " || !$0.isASCII }) { return true }
        return !scalars.contains { ".:@[]?#%".unicodeScalars.contains($0) }
    }
}
