internal import DNSSD
package import GatewayProtocol
package import Scanning

/// The way in which a gateway was found that nobody advertises or has named, and what makes others find it, for people.
package struct FoundRemark: Hashable, Sendable, CustomStringConvertible {
    /// A place of the gateway.
    package struct Place: Hashable, Sendable {
        /// The source that has found it; `nil` if something else leads there.
        package let source: PlaceSource?

        /// The address and port.
        package let endpoint: String

        /// Indicates whether this host alone reaches it.
        package let isLoopback: Bool

        package init(source: PlaceSource?, endpoint: String, isLoopback: Bool) {
            (self.source, self.endpoint, self.isLoopback) = (source, endpoint, isLoopback)
        }
    }

    package let description: String

    /// Creates the remark; `nil` where something else leads to the gateway than a source.
    ///
    /// - Parameter places: All places of a gateway that nobody advertises.
    package init?(_ places: [Place], dialect: GatewayDialect?) {
        guard let first = places.first(where: { $0.source != nil }), let source = first.source else { return nil }
        switch source {
        case .thisHost where places.allSatisfy(\.isLoopback):
            let opening =
                dialect == .openClaw ? "openclaw config set gateway.bind lan" : "let it listen on 0.0.0.0 or ::"
            description = "on this host, loopback only; to open it to other devices: \(opening)"
        case .thisHost:
            let reachable = places.filter { $0.source == .thisHost && !$0.isLoopback }
            // Of several addresses, one that every program takes.
            let place = reachable.first { !$0.endpoint.hasPrefix("[") } ?? reachable.first ?? first
            description =
                "on this host, not advertised; so that others find it: clawradar advertise --gateway \(place.endpoint)"
        case .tailnet: description = "on your tailnet"
        case .sweep: description = "found by a look around; nobody advertises it"
        case .namespace:
            description = "in another network namespace of this host, such as a container's; not advertised"
        }
    }
}

extension Gateway {
    /// The way in which it was found; `nil` if it is advertised, or was entered.
    package var foundRemark: FoundRemark? {
        guard services.isEmpty, !paths.contains(where: \.isManual) else { return nil }
        let answered = paths.filter { $0.outcome?.identity != nil }
        let places = (answered.isEmpty ? paths : answered).map { path in
            let address = path.endpoint.address
            return FoundRemark.Place(source: path.source, endpoint: "\(path.endpoint)", isLoopback: address.isLoopback)
        }
        return FoundRemark(places, dialect: dialect)
    }
}

extension FoundRemark {
    /// Creates the remark of a row as `GatewayReport` writes it.
    package init?(report: JSONValue) {
        let paths = report["paths"]?.array ?? []
        guard report["services"]?.array?.isEmpty == true, !paths.contains(where: { $0["isTypedIn"]?.bool == true })
        else { return nil }
        let answered = paths.filter { $0["finding"]?.string == "gateway" }
        let places = (answered.isEmpty ? paths : answered).map { path in
            Place(
                source: path["foundBy"]?.string.flatMap(PlaceSource.init(rawValue:)),
                endpoint: path["endpoint"]?.string ?? "",
                isLoopback: path["address"]?.string.flatMap { IPAddress($0) }?.isLoopback == true
            )
        }
        self.init(places, dialect: report["dialect"]?.string.flatMap(GatewayDialect.init(rawValue:)))
    }
}
