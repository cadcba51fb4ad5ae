internal import DNSSD
public import GatewayProtocol

/// The facts that a gateway of this host told of itself: all that is advertised of it comes from here.
public struct GatewayFacts: Hashable, Sendable {
    /// The dialect that the gateway speaks.
    public let dialect: GatewayDialect

    /// Its fingerprint, where it tells one.
    public let fingerprint: GatewayFingerprint?

    /// Its name, where it tells one, as it can be published: 1–63 bytes, without control characters and quotation marks.
    public let name: String?

    /// The number of bots that the gateway has, where it tells.
    public let bots: Int?

    /// The certificate it showed; `nil` without TLS.
    public let leaf: LeafFingerprint?

    /// - Parameters:
    ///   - dialect: How it speaks.
    ///   - fingerprint: Its fingerprint.
    ///   - name: Its name, as it says it.
    ///   - bots: How many bots it has.
    ///   - leaf: The certificate it showed.
    public init(
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
    public init?(_ report: GatewayProbeReport) {
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

    /// Returns whether these are the facts of the same gateway, now or earlier: its name, bots and certificate may have
    /// changed.
    public func areOfTheSameGateway(as other: GatewayFacts) -> Bool {
        dialect == other.dialect && fingerprint == other.fingerprint
    }

    /// The longest instance name (RFC 6763 §4.1.1), in bytes.
    static let maximumNameLength = 63

    /// A name as it can be published; `nil` when nothing of it is left.
    ///
    /// Control characters are not allowed in instance names (RFC 6763 §4.1.1), and a client exists that reads the output
    /// of avahi-browse, where a quotation mark ends a TXT string.
    static func publishable(_ name: String, limit: Int = maximumNameLength) -> String? {
        var text = ""
        for scalar in name.cut(toBytes: limit).unicodeScalars {
            switch scalar {
            case "\"": text.unicodeScalars.append("'")
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): text.unicodeScalars.append(" ")
            default: text.unicodeScalars.append(scalar)
            }
        }
        // A control character of two bytes became a space of one: it never grows.
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}
