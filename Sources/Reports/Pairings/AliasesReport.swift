package import GatewayProtocol

/// The names that the user has given to gateways.
package struct AliasesReport: JSONReport {
    private let aliases: [GatewayAlias]

    /// Creates the report of some names.
    package init(_ aliases: [GatewayAlias]) {
        self.aliases = aliases
    }

    package var fields: [String: JSONValue] {
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
