internal import DNSSD
internal import GatewayProtocol

/// The JSON of the trust in a paired gateway on its way to another device.
extension TrustPolicy {
    var carried: JSONValue {
        switch self {
        case .pinned(let leaf): .object(["kind": "pinned", "leaf": .string(leaf.description)])
        case .certified(let host): .object(["kind": "certified", "host": .string(host)])
        case .sameAddress(let network): network.carried("sameAddress")
        case .lan(let network): network.carried("lan")
        case .tailnet(let node): .object(["kind": "tailnet", "node": .string(node.key)])
        case .tunnel(let tunnel):
            .object([
                "kind": "tunnel", "interface": .string(tunnel.name), "type": .string(tunnel.kind.rawValue),
                "address": .string(tunnel.address.description),
            ])
        }
    }

    /// Reads a policy; `nil` for one that this version does not know, since any other one could be a weaker one.
    init?(carried json: JSONValue) {
        switch json["kind"]?.string {
        case "pinned":
            guard let leaf = json["leaf"]?.string.flatMap({ LeafFingerprint($0) }) else { return nil }
            self = .pinned(leaf)
        case "certified":
            guard let host = json["host"]?.string else { return nil }
            self = .certified(host: host)
        case "sameAddress":
            guard let network = HomeNetwork(carried: json) else { return nil }
            self = .sameAddress(network)
        case "lan":
            guard let network = HomeNetwork(carried: json), network != .nowhere else { return nil }
            self = .lan(network)
        case "tailnet":
            guard let node = json["node"]?.string.flatMap({ TailnetNode($0) }) else { return nil }
            self = .tailnet(node)
        case "tunnel":
            guard let name = json["interface"]?.string,
                let kind = json["type"]?.string.flatMap({ NetworkTunnel.Kind(rawValue: $0) }),
                let address = json["address"]?.string.flatMap({ IPAddress($0) })
            else { return nil }
            self = .tunnel(NetworkTunnel(name: name, kind: kind, address: address))
        default: return nil
        }
    }
}

extension HomeNetwork {
    fileprivate func carried(_ kind: String) -> JSONValue {
        var fields: [String: JSONValue] = [
            "kind": .string(kind), "prefix": .string(prefix.description),
            "prefixLength": JSONValue(integerLiteral: prefixLength), "router": .bytes(router),
        ]
        fields["gateway"] = gateway.map { .bytes($0) }
        return .object(fields)
    }

    fileprivate init?(carried json: JSONValue) {
        guard let prefix = json["prefix"]?.string.flatMap({ IPAddress($0) }), let length = json["prefixLength"]?.int,
            (0...128).contains(length), let router = json["router"]?.bytes
        else { return nil }
        var gateway: [UInt8]?
        if let told = json["gateway"] {
            guard let bytes = told.bytes else { return nil }
            gateway = bytes
        }
        self.init(prefix: prefix, prefixLength: length, router: router, gateway: gateway)
    }
}
