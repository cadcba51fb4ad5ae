/// The identity that a gateway stated at one endpoint. Whether the gateway has proved it is a separate fact.
package struct GatewayIdentity: Hashable, Sendable {
    /// The fingerprint in its answer; not every dialect has one.
    package let fingerprint: GatewayFingerprint?

    /// Its name, if it reported one.
    package let name: String?

    /// The dialect that it speaks.
    package let dialect: GatewayDialect

    /// Its bots, in its order.
    package let bots: [BotDescription]

    /// The TLS leaf certificate that it presented; `nil` without TLS.
    package let leaf: LeafFingerprint?

    /// Creates an identity; by default that of a gateway without TLS that states no more than its dialect.
    package init(
        fingerprint: GatewayFingerprint? = nil,
        name: String? = nil,
        dialect: GatewayDialect,
        bots: [BotDescription] = [],
        leaf: LeafFingerprint? = nil
    ) {
        self.fingerprint = fingerprint
        self.name = name
        self.dialect = dialect
        self.bots = bots
        self.leaf = leaf
    }

    /// Indicates whether a leaf is all that tells it from other gateways: behind a front, it is the same for all.
    package var isKnownByLeafAlone: Bool { leaf != nil && fingerprint == nil }

    /// Indicates whether its fingerprint is the SHA-256 of the leaf that it presented, in lower-case hexadecimal
    /// digits: nobody else can present that leaf.
    package var isFingerprintOfItsLeaf: Bool {
        guard let fingerprint, let leaf else { return false }
        return fingerprint.bytes.elementsEqual(leaf.description.utf8)
    }
}
