internal import Constellation
internal import GatewayProtocol
package import PairingStore

extension StoredPairing {
    /// Takes on another trust, and the identity that comes with it: where the fingerprint is that of the certificate, a
    /// gateway with a new certificate goes by the new one, and only under that is it found from now on.
    package mutating func accept(_ policy: TrustPolicy) {
        if case .pinned(let old) = trust, case .pinned(let new) = policy, old != new,
            fingerprint == GatewayFingerprint(old.description), let renewed = GatewayFingerprint(new.description)
        {
            fingerprint = renewed
            gatewayID = GatewayID.fingerprint(renewed).description
        }
        trust = policy
    }
}
