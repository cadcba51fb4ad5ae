internal import DNSSD
internal import GatewayProtocol
internal import HeapModule

/// Services that lead to an address of this host, and are not known to be its own.
///
/// The first record of a program on this host may come from elsewhere, such as a cache. The host's own announcement
/// follows in a moment, and until then no refusal is reported.
extension ScanState {
    private static let ownAnnouncementTimeout = Duration.milliseconds(500)

    /// Leaves out the endpoints that are not to be refused yet.
    mutating func deferOwnAddressRefusal(
        _ target: inout ServiceTarget,
        of service: DiscoveredService,
        now: ContinuousClock.Instant
    ) {
        let instance = service.instance
        guard target.refused.values.contains(.ownAddress) else {
            services.forgetForeign(instance)
            return
        }
        if services.foreign.updateValue(service, forKey: instance) == nil {
            services.undecided.insert(instance)
            let due = now + Self.ownAnnouncementTimeout
            schedule.insert(ScheduledEvent(time: due, purpose: .ownAnnouncementOverdue(instance)))
        }
        if services.undecided.contains(instance) { target.refused = target.refused.filter { $0.value != .ownAddress } }
    }

    /// Refuses a service that this host has not announced in time.
    mutating func ownAnnouncementOverdue(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        guard services.undecided.remove(instance) != nil, let service = services.foreign[instance] else { return }
        updateCandidates(of: service, mayHaveChanged: false, now: now)
    }
}
