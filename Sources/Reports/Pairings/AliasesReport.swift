public import GatewayProtocol

/// The names that the user has given to gateways.
public struct AliasesReport: JSONReport {
    private let aliases: [GatewayAlias]

    /// Creates the report of some names.
    public init(_ aliases: [GatewayAlias]) {
        self.aliases = aliases
    }

    public var fields: [String: JSONValue] {
        [
            "aliases": .array(
                aliases.map { alias in
                    .object([
                        "name": .string(alias.name),
                        "gateway": .string(alias.gatewayID),
                        "fingerprint": JSONValue(bytes: alias.fingerprint?.bytes),
                        "leafSha256": JSONValue(alias.leaf?.description),
                    ])
                }
            )
        ]
    }
}
