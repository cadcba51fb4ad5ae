internal import DNSSD

/// The state of a publication, which decides what is to be done next. A value: no clock, no I/O.
///
/// The daemon does the probing (RFC 6762 §8.1) and sends the goodbye packets. The state machine publishes again
/// whenever the daemon has a new host name or has been restarted, and chooses another name after a conflict (RFC 6763
/// Appendix D), more slowly after many conflicts, but for as long as it takes. The name that was accepted is kept when
/// the daemon restarts. It is exchanged for the wanted name once that is free again, see ``/DNSSD/WantedName``, and stays
/// until the wanted one is announced.
struct AvahiPublishStateMachine {
    private enum State: Hashable {
        /// The daemon is not ready.
        case waiting
        /// The services have been given to the daemon, which probes for the name.
        case registering
        /// Every name that was tried is taken: the next one is tried at this time.
        case slowed(until: ContinuousClock.Instant)
        case established
        case failed
    }

    private let advertisement: Advertisement

    private var state = State.waiting
    private var pacing = ConflictPacing()
    private var txt: TXTRecord

    /// Indicates whether the latest report says that every name is taken.
    private var isSlowedReported = false

    /// The time at which the wanted name may be claimed again, while another one is published.
    private var wanted = WantedName()

    /// The number of owners of the wanted name; `nil` while they are not looked for.
    private var owners: Int?

    /// Indicates whether the wanted name is being claimed in a second entry group.
    private var isClaiming = false

    /// The name under which the services are, or are being, published.
    private(set) var name: String

    init(_ advertisement: Advertisement) {
        self.advertisement = advertisement
        self.name = advertisement.name
        self.txt = advertisement.txt
    }

    /// Indicates whether nothing more will happen.
    var isFinished: Bool { state == .failed }

    /// The time at which ``tick(now:)`` must be called next.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .slowed(until: let time): time
        case .established: isClaiming ? nil : wanted.due
        case .waiting, .registering, .failed: nil
        }
    }

    /// Does what is due at ``deadline``, if that time has come.
    mutating func tick(now: ContinuousClock.Instant) -> [AvahiPublishAction] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .slowed:
            return publish()
        case .established:
            wanted.noteTry(now: now)
            isClaiming = true
            return [.claim(name: advertisement.name, txt: txt)]
        case .waiting, .registering, .failed:
            return []
        }
    }

    /// Handles a new condition of the daemon.
    mutating func daemonChanged(to condition: DaemonCondition) -> [AvahiPublishAction] {
        switch (state, condition) {
        case (.failed, _):
            return []
        case (_, .starting):
            state = .waiting
            forgetGroups()
            return []
        case (_, .unavailable(let error)):
            state = .waiting
            forgetGroups()
            return [.report(.publishing(waitingFor: error))]
        case (_, .up(isSettled: false)):
            // The daemon is claiming its host name again: records that point to the old one are withdrawn.
            let wasPublished = state != .waiting
            state = .waiting
            return wasPublished ? stopClaiming() + [.reset, .report(.publishing(waitingFor: nil))] : []
        case (.waiting, .up(isSettled: true)):
            return publish()
        case (_, .up(isSettled: true)):
            return []
        }
    }

    /// Forgets the entry groups and look-ups, which are gone with the daemon.
    private mutating func forgetGroups() {
        isClaiming = false
        owners = nil
        wanted.noteOwner()
    }

    /// Handles the daemon's reply to the services that were added: `nil`, or the error with which it refused them.
    mutating func added(_ error: AvahiError?, now: ContinuousClock.Instant) -> [AvahiPublishAction] {
        guard state == .registering, let error else { return [] }
        switch error {
        case .collision:
            return collision(now: now)
        case .badState, .disconnected, .dbus, .noDaemon:
            state = .waiting
            return []
        case .tooManyEntries, .tooManyObjects:
            return fail(
                .limitReached,
                "avahi-daemon takes no more entries (\(error)). Raise entries-per-entry-group-max in avahi-daemon.conf, "
                    + "or advertise fewer types."
            )
        case .notPermitted, .accessDenied:
            return fail(
                .refused,
                "avahi-daemon does not let this user publish (\(error)). Look at disable-user-service-publishing in "
                    + "avahi-daemon.conf."
            )
        default:
            return fail(.invalid, "avahi-daemon does not publish \"\(name)\": \(error).")
        }
    }

    /// Handles the daemon's reply to another TXT record: `nil`, or the error with which it refused it.
    mutating func updated(_ error: AvahiError?) -> [AvahiPublishAction] {
        guard let error else { return [] }
        switch (state, error) {
        case (.waiting, _), (.slowed, _), (.failed, _):
            return []
        case (_, .badState), (_, .disconnected), (_, .dbus), (_, .noDaemon):
            state = .waiting
            return []
        case (_, _):
            // An outdated TXT record would otherwise stay published.
            return publish()
        }
    }

    /// Handles an event from the entry group.
    mutating func receive(_ event: ObjectEvent, now: ContinuousClock.Instant) -> [AvahiPublishAction] {
        switch (state, event) {
        case (.registering, .groupEstablished):
            state = .established
            isSlowedReported = false
            return [.report(.published(name: name))] + look()
        case (.registering, .groupCollision), (.established, .groupCollision):
            return collision(now: now)
        case (.registering, .failed(let error)), (.established, .failed(let error)):
            return fail(.internalFault, "avahi-daemon gave up on \"\(name)\": \(error).")
        case (_, _):
            return []
        }
    }

    /// Replaces the TXT record.
    mutating func update(_ txt: TXTRecord) -> [AvahiPublishAction] {
        guard txt != self.txt else { return [] }
        self.txt = txt
        switch state {
        case .waiting, .slowed, .failed: return []
        // The claim has the former TXT record; it is dropped, and made again later.
        case .registering, .established: return stopClaiming() + [.updateTXT(name: name, txt: txt)] + look()
        }
    }

    // MARK: The wanted name

    /// Starts to look for owners of the wanted name, if another name is published.
    private mutating func look() -> [AvahiPublishAction] {
        guard state == .established, name != advertisement.name, owners == nil else { return [] }
        owners = 0
        return [.lookFor(name: advertisement.name)]
    }

    /// Counts an owner of the wanted name that has come or gone: one for each link that it is seen on.
    mutating func sawOwner(_ kind: ObjectEvent.Kind, now: ContinuousClock.Instant) {
        guard let count = owners, !isClaiming else { return }
        switch kind {
        case .new: owners = count + 1
        case .remove: owners = max(0, count - 1)
        }
        noteOwners(now: now)
    }

    /// Records that any owner of the wanted name has had the time to answer.
    mutating func lookedUp(now: ContinuousClock.Instant) {
        guard !isClaiming else { return }
        noteOwners(now: now)
    }

    private mutating func noteOwners(now: ContinuousClock.Instant) {
        if owners == 0 { wanted.noteFree(now: now) } else { wanted.noteOwner() }
    }

    /// Handles the daemon's reply to the wanted name in a second entry group: `nil`, or the error with which it refused
    /// it.
    mutating func claimed(_ error: AvahiError?) -> [AvahiPublishAction] {
        guard isClaiming, error != nil else { return [] }
        return stopClaiming() + look()
    }

    /// Handles an event from the second entry group.
    mutating func receiveFromClaim(_ event: ObjectEvent) -> [AvahiPublishAction] {
        guard isClaiming else { return [] }
        switch event {
        case .groupEstablished where state == .established:
            isClaiming = false
            owners = nil
            wanted.noteOwner()
            name = advertisement.name
            return [.stopLooking, .adopt, .report(.published(name: name))]
        case .groupCollision, .failed:
            return stopClaiming() + look()
        default:
            return []
        }
    }

    private mutating func stopClaiming() -> [AvahiPublishAction] {
        let wasClaiming = isClaiming
        let wasLooking = owners != nil
        isClaiming = false
        owners = nil
        wanted.noteOwner()
        return (wasClaiming ? [.abandon] : []) + (wasLooking ? [.stopLooking] : [])
    }

    // MARK: Names

    private mutating func publish() -> [AvahiPublishAction] {
        state = .registering
        let report: [AvahiPublishAction] = isSlowedReported ? [] : [.report(.publishing(waitingFor: nil))]
        return report + [.publish(name: name, txt: txt)]
    }

    private mutating func collision(now: ContinuousClock.Instant) -> [AvahiPublishAction] {
        let pause = pacing.noteConflict(now: now)
        let former = name
        name = AlternativeName.next(after: former)
        let stop = stopClaiming()
        guard pause > .zero else {
            return stop + (isSlowedReported ? [] : [.report(.renamed(from: former, to: name))]) + publish()
        }
        state = .slowed(until: now + pause)
        defer { isSlowedReported = true }
        let report: [AvahiPublishAction] =
            isSlowedReported ? [] : [.report(.publishing(waitingFor: .namesTaken(advertisement.name)))]
        return stop + [.reset] + report
    }

    private mutating func fail(_ code: ErrorCode<BackendError>, _ message: String) -> [AvahiPublishAction] {
        state = .failed
        return stopClaiming() + [.reset, .report(.failed(BackendError(code, message)))]
    }
}
