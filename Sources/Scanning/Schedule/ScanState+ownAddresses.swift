internal import DNSSD
internal import GatewayProtocol
internal import HeapModule

/// Services that lead to an address of this host, and of which it is not known that they are its own.
///
/// Of a program of this host, the first record may come from elsewhere, as from a cache. Its own word comes in a moment, and
/// until then nothing is said.
extension ScanState {
    private static let patience = Duration.milliseconds(500)

    /// Leaves out what is not to be refused yet.
    mutating func awaitOwnWord(
        _ target: inout ServiceTarget,
        of service: DiscoveredService,
        now: ContinuousClock.Instant
    ) {
        let instance = service.instance
        guard target.refused.values.contains(.ownAddress) else {
            forgetForeign(instance)
            return
        }
        if foreign.updateValue(service, forKey: instance) == nil {
            undecided.insert(instance)
            schedule.insert(ScheduledEvent(time: now + Self.patience, purpose: .ownWordOverdue(instance)))
        }
        if undecided.contains(instance) { target.refused = target.refused.filter { $0.value != .ownAddress } }
    }

    /// Nobody of this host has spoken for it.
    mutating func ownWordOverdue(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        guard undecided.remove(instance) != nil, let service = foreign[instance] else { return }
        point(service, isNews: false, now: now)
    }

    mutating func forgetForeign(_ instance: ServiceInstance) {
        foreign[instance] = nil
        undecided.remove(instance)
    }
}
