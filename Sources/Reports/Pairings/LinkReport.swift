package import GatewayProtocol
package import Pairing

/// A link to a paired gateway for another device.
package struct LinkReport: ReadableReport, Hashable {
    /// A code in the link that works once.
    package struct Code: Hashable, Sendable {
        /// The setup code without a scheme before it; `nil` of a dialect that has none.
        package let setupCode: String?
        package let end: Timestamp

        /// The rights that it opens, where the gateway distinguishes them.
        package let access: MadeSetupCode.Access?
    }

    /// The link itself.
    package let link: String
    package let code: Code?

    /// The reason why it has no setup code, though this device is an owner of the gateway; `nil` if there is none.
    package var trouble: String?

    private let pairing: String
    private let gatewayName: String

    /// The rows of its QR code, from the top, each of `0` and `1` for light and dark; `nil` where nobody draws it.
    package var modules: [String]?

    /// Makes the link to the gateway of a pairing.
    ///
    /// - Parameters:
    ///   - code: A code that the gateway has made.
    ///   - end: Its end.
    ///   - access: The rights that it opens, where the gateway distinguishes them.
    package init(
        _ pairing: StoredPairing,
        code: Secret? = nil,
        until end: Timestamp? = nil,
        access: MadeSetupCode.Access? = nil
    ) throws(OutwardLink.Problem) {
        let code = code.map(pairing.naming)
        link = try OutwardLink(pairing, code: code).text
        self.code = end.map { end in
            Code(setupCode: pairing.dialect == .openClaw ? code?.revealed : nil, end: end, access: access)
        }
        self.pairing = pairing.id.description
        gatewayName = pairing.name
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(document, of: "the link")
        link = try fields.value("link")
        pairing = try fields.value("pairing")
        gatewayName = try fields.value("gatewayName")
        trouble = try fields.optional("trouble")
        guard let end: String = try fields.optional("validUntil") else {
            code = nil
            return
        }
        let access: String? = try fields.optional("access")
        guard let end = Timestamp(end) else { throw fields.problem(at: "validUntil", expected: "a time") }
        code = Code(
            setupCode: try fields.optional("code"),
            end: end,
            access: access.flatMap(MadeSetupCode.Access.init)
        )
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "link": .string(link),
            "code": JSONValue(code?.setupCode),
            "pairing": .string(pairing), "gatewayName": .string(gatewayName),
            "hasSecret": .bool(code != nil), "validUntil": JSONValue(code?.end.description),
            "access": JSONValue(code?.access?.rawValue),
        ]
        if let trouble { fields["trouble"] = .string(trouble) }
        if let modules { fields["modules"] = JSONValue(modules) }
        return fields.with(.name)
    }
}
