internal import GatewayProtocol
internal import Synchronization

/// The certificate that a peer has shown, once it has.
final class LeafBox: Sendable {
    private let leaf = Mutex<LeafFingerprint?>(nil)

    func set(_ value: LeafFingerprint) {
        leaf.withLock { $0 = value }
    }

    func get() -> LeafFingerprint? {
        leaf.withLock { $0 }
    }
}
