package import GatewayProtocol

/// The facts that a gateway of this host reported about itself: everything that is advertised about it comes from them.
package struct AdvertisedFacts: Hashable, Sendable {
    /// The dialect that the gateway speaks.
    package let dialect: GatewayDialect

    /// The fingerprint of the gateway, where it reports one.
    package let fingerprint: GatewayFingerprint?

    /// The name of the gateway, where it reports one, as it can be published: 1–63 bytes, without control characters
    /// and quotation marks.
    package let name: String?

    /// The number of bots that the gateway has, where it reports it.
    package let bots: Int?

    /// The certificate that the gateway showed; `nil` without TLS.
    package let leaf: LeafFingerprint?

    /// Creates the facts about a gateway. Its name is made publishable: see ``name``.
    ///
    /// - Parameters:
    ///   - dialect: The dialect that the gateway speaks.
    ///   - fingerprint: Its fingerprint.
    ///   - name: Its name, as it reports it.
    ///   - bots: How many bots it has.
    ///   - leaf: The certificate that it showed.
    package init(
        dialect: GatewayDialect,
        fingerprint: GatewayFingerprint? = nil,
        name: String? = nil,
        bots: Int? = nil,
        leaf: LeafFingerprint? = nil
    ) {
        self.dialect = dialect
        self.fingerprint = fingerprint
        self.name = name.flatMap { Self.publishable($0) }
        self.bots = bots
        self.leaf = leaf
    }

    /// Takes the facts from a gateway probe's report; `nil` when the probe found no gateway.
    package init?(_ report: GatewayProbeReport) {
        guard let dialect = report.verdict.dialect else { return nil }
        let leaf = report.path?.leaf
        guard case .optaplus(let payload) = report.verdict else {
            self.init(dialect: dialect, leaf: leaf)
            return
        }
        self.init(
            dialect: dialect,
            fingerprint: payload.fingerprint,
            name: payload.name,
            bots: payload.botCount,
            leaf: leaf
        )
    }

    /// Returns whether both facts are of the same gateway, perhaps at different times: its name, bots and certificate
    /// may have changed.
    package func areOfTheSameGateway(as other: AdvertisedFacts) -> Bool {
        dialect == other.dialect && fingerprint == other.fingerprint
    }

    /// The maximum length of an instance name (RFC 6763 §4.1.1), in bytes.
    static let maximumNameLength = 63

    /// Returns a name as it can be published; `nil` when nothing of it is left.
    ///
    /// Control characters are not allowed in instance names (RFC 6763 §4.1.1), and there is a client that reads the
    /// output of avahi-browse, where a quotation mark ends a TXT string.
    static func publishable(_ name: String, limit: Int = maximumNameLength) -> String? {
        var text = ""
        for scalar in name.cut(toBytes: limit).unicodeScalars {
            switch scalar {
            case "\"": text.unicodeScalars.append("'")
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): text.unicodeScalars.append(" ")
            default: text.unicodeScalars.append(scalar)
            }
        }
        // The text never gets longer: a control character of two bytes becomes a space of one.
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}
