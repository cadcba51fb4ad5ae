package import GatewayProtocol

/// The names that the user has given to gateways.
package struct AliasesReport: ReadableReport {
    private let aliases: [GatewayAlias]

    /// Creates the report of some names.
    package init(_ aliases: [GatewayAlias]) {
        self.aliases = aliases
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let values: [JSONValue] = try RecordedFields(document, of: "the document").value("aliases")
        aliases = try values.map { value throws(RecordingProblem) in
            let fields = try RecordedFields(value, of: "an alias")
            return GatewayAlias(
                gatewayID: try fields.value("gateway"),
                fingerprint: try fields.optional("fingerprint"),
                leaf: try fields.optional("leafSha256"),
                name: try fields.value("name")
            )
        }
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
