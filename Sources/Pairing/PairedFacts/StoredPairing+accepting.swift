package import GatewayProtocol
internal import Scanning

extension StoredPairing {
    /// Takes on another trust, and the identity that comes with it: a gateway with a new certificate goes by the fingerprint
    /// that it tells with that, and only under that is it found from now on.
    ///
    /// - Parameters:
    ///   - policy: The trust.
    ///   - told: The fingerprint that the gateway tells with the accepted certificate; `nil` if it was not asked. One that
    ///     was that of the certificate is that of the new one then.
    package mutating func accept(_ policy: TrustPolicy, telling told: GatewayFingerprint? = nil) {
        if case .pinned(let new) = policy, policy != trust {
            var renewed = told
            if renewed == nil, case .pinned(let old) = trust, fingerprint == GatewayFingerprint(old.description) {
                renewed = GatewayFingerprint(new.description)
            }
            if let renewed, renewed != fingerprint {
                fingerprint = renewed
                gatewayID = GatewayID.fingerprint(renewed).description
            }
        }
        trust = policy
    }
}
