/// The trust in gateways without TLS that the user wants where a command does not say it.
package enum PlainTrustSetting: String, Hashable, Sendable, CaseIterable {
    /// At the address that a gateway has when it is paired.
    case address

    /// Anywhere in its network.
    case lan
}
