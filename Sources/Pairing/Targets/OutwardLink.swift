internal import DNSSD
package import GatewayProtocol

/// A link to a paired gateway, for another device. It says where the gateway is and how it is recognized. It holds no
/// secret but a one-time token that its gateway has made for it: never the token of this device.
package struct OutwardLink: Hashable, Sendable, CustomStringConvertible {
    /// A reason why there is no link.
    package enum Problem: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// No address of it is known that another device can use.
        case noAddress = "expected an address that other devices reach, found none: only this host reaches it"
        /// The user has not trusted it yet.
        case awaitsTrust = "expected a gateway that you trust, found one that awaits that: clawradar trust NAME"
        /// It speaks a dialect that has no links.
        case dialect = "expected a gateway of a dialect that has links, found another one"

        /// A sentence for people.
        package var description: String { rawValue }
    }

    /// The link.
    package let text: String

    /// Makes the link to the gateway of a pairing: its host name if a certificate proves that, else its address in this
    /// network where it was verified last; and its address outside of this network.
    ///
    /// - Parameter code: A one-time token of an OptaPlus gateway, or a setup code of an OpenClaw gateway, which says all of
    ///   the rest itself.
    package init(_ pairing: StoredPairing, code: Secret? = nil) throws(Problem) {
        guard !pairing.awaitsTrust else { throw .awaitsTrust }
        let inside = Self.inside(pairing)
        let outside = Self.certified(pairing) ?? pairing.remoteURL.flatMap { GatewayURL($0) }
        switch pairing.dialect {
        case .optaplus:
            guard inside != nil || outside != nil else { throw .noAddress }
            var parts: [String] = []
            if let inside {
                parts.append("host=\(PercentEncoding.encoded(Self.host(inside).utf8))&port=\(inside.port)")
            }
            if let outside { parts.append("remote=\(PercentEncoding.encoded(outside.description.utf8))") }
            if let fingerprint = pairing.fingerprint {
                parts.append("fp=\(PercentEncoding.encoded(fingerprint.bytes))")
            }
            if let code = code?.revealed { parts.append("token=\(PercentEncoding.encoded(code.utf8))") }
            text = "optaplus://pair?" + parts.joined(separator: "&")
        case .openClaw:
            if let code = code?.revealed {
                text = "oc-pair://\(code)"
                return
            }
            // There is no form without a secret but the address itself.
            if let inside {
                text = "\(pairing.trust.isPlain ? "ws" : "wss")://\(Self.host(inside)):\(inside.port)"
            } else if let outside {
                text = "\(outside)"
            } else {
                throw .noAddress
            }
        case .bridge, .openAgents, .clawline: throw .dialect
        }
    }

    package var description: String { text }

    /// Returns the endpoint of a gateway in this network that means the same to another device; `nil` if there is none.
    private static func inside(_ pairing: StoredPairing) -> Endpoint? {
        // Whoever has only an address has nothing to compare such a certificate with.
        if case .certified = pairing.trust { return nil }
        return pairing.endpoints.first { endpoint in
            // A link-local address means something only together with an interface of this host.
            endpoint.address.unmapped.isLocalNetwork && endpoint.address.scope == nil && endpoint.resource == "/"
        }
    }

    /// Returns the URL of a gateway that proves its host name by a certificate; `nil` if it does not.
    private static func certified(_ pairing: StoredPairing) -> GatewayURL? {
        guard case .certified(let host) = pairing.trust, let endpoint = pairing.endpoints.first else { return nil }
        return GatewayURL("wss://\(host):\(endpoint.port)\(endpoint.resource)")
    }

    /// Returns the name by which a place was named, which a front may need, else its address.
    private static func host(_ endpoint: Endpoint) -> String {
        if let name = endpoint.serverName { return name.description }
        return switch endpoint.address.unmapped {
        case .v4(let address): "\(address)"
        case .v6(let address): "[\(address)]"
        }
    }
}
