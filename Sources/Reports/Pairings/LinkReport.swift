package import GatewayProtocol
package import Pairing

/// A link to a paired gateway for another device.
package struct LinkReport: JSONReport {
    /// A code in the link that works once.
    package struct Code: Sendable {
        package let text: Secret
        package let end: Timestamp

        /// The rights that it opens, where the gateway distinguishes them.
        package let access: MadeSetupCode.Access?

        package init(_ text: Secret, until end: Timestamp, access: MadeSetupCode.Access? = nil) {
            self.text = text
            self.end = end
            self.access = access
        }
    }

    private let pairing: StoredPairing
    package let link: OutwardLink
    private let code: Code?

    /// The rows of its QR code, from the top, each of `0` and `1` for light and dark; `nil` where nobody draws it.
    package var modules: [String]?

    package init(_ pairing: StoredPairing, _ link: OutwardLink, _ code: Code?) {
        self.pairing = pairing
        self.link = link
        self.code = code
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "link": .string(link.text),
            // The setup code without a scheme before it.
            "code": JSONValue(pairing.dialect == .openClaw ? code?.text.revealed : nil),
            "pairing": .string(pairing.id.description), "gatewayName": .string(pairing.name),
            "hasSecret": .bool(code != nil), "validUntil": JSONValue(code?.end.description),
            "access": JSONValue(code?.access?.rawValue),
        ]
        if let modules { fields["modules"] = JSONValue(modules) }
        return fields.with(.name)
    }
}
