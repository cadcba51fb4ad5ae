internal import DNSSD

/// The state of a publication, which decides what is to be done next. A value: no clock, no I/O.
///
/// The daemon does the probing (RFC 6762 §8.1) and says goodbye for us; what is left to do is to publish again whenever
/// it has a new host name or has been restarted, and to take another name after a conflict (RFC 6763 Appendix D), ever more
/// slowly, but for as long as it takes. The name that stuck is kept over restarts, and given back for the one that was wanted
/// once nobody has that any more: see ``WantedName``. Until that is announced the present one stays.
struct PublishStateMachine {
    private enum State: Hashable {
        /// The daemon is not ready.
        case waiting
        /// Handed to the daemon, which probes.
        case registering
        /// Every name that was tried was another's: the next one is tried at this time.
        case slowed(until: ContinuousClock.Instant)
        case established
        case failed
    }

    private let advertisement: Advertisement

    private var state = State.waiting
    private var pacing = ConflictPacing()
    private var txt: TXTRecord

    /// Indicates whether it has been told that every name is another's, and nothing else since.
    private var isSlowedReported = false

    /// Indicates whether the name that was wanted is free again, while there is another one.
    private var wanted = WantedName()

    /// The number of those that have the wanted name; `nil` while it is not looked for.
    private var owners: Int?

    /// Indicates whether the wanted name is being claimed in a second entry group.
    private var isClaiming = false

    /// The name under which it is, or is being, published.
    private(set) var name: String

    init(_ advertisement: Advertisement) {
        self.advertisement = advertisement
        self.name = advertisement.name
        self.txt = advertisement.txt
    }

    /// Indicates whether nothing more will happen.
    var isFinished: Bool { state == .failed }

    /// The time at which ``tick(now:)`` wants to be called.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .slowed(until: let time): time
        case .established: isClaiming ? nil : wanted.due
        case .waiting, .registering, .failed: nil
        }
    }

    /// The time has come to which ``deadline`` pointed, or has not yet.
    mutating func tick(now: ContinuousClock.Instant) -> [PublishAction] {
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

    /// The daemon came, went or changed.
    mutating func daemonChanged(to condition: DaemonCondition) -> [PublishAction] {
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
            // Its host name is being claimed anew: what points to the old one is withdrawn.
            let wasPublished = state != .waiting
            state = .waiting
            return wasPublished ? stopClaiming() + [.reset, .report(.publishing(waitingFor: nil))] : []
        case (.waiting, .up(isSettled: true)):
            return publish()
        case (_, .up(isSettled: true)):
            return []
        }
    }

    /// With the daemon, all that it held for us is gone.
    private mutating func forgetGroups() {
        isClaiming = false
        owners = nil
        wanted.noteOwner()
    }

    /// The daemon has taken, or refused, what was added.
    mutating func added(_ error: AvahiError?, now: ContinuousClock.Instant) -> [PublishAction] {
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

    /// The daemon has taken, or refused, another TXT record.
    mutating func updated(_ error: AvahiError?) -> [PublishAction] {
        guard let error else { return [] }
        switch (state, error) {
        case (.waiting, _), (.slowed, _), (.failed, _):
            return []
        case (_, .badState), (_, .disconnected), (_, .dbus), (_, .noDaemon):
            state = .waiting
            return []
        case (_, _):
            // What is published would go on to say what is no longer true.
            return publish()
        }
    }

    /// The entry group has told something.
    mutating func receive(_ event: ObjectEvent, now: ContinuousClock.Instant) -> [PublishAction] {
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

    /// Another TXT record shall be published.
    mutating func update(_ txt: TXTRecord) -> [PublishAction] {
        guard txt != self.txt else { return [] }
        self.txt = txt
        switch state {
        case .waiting, .slowed, .failed: return []
        // What is being claimed has the former one; it is claimed another time.
        case .registering, .established: return stopClaiming() + [.updateTXT(name: name, txt: txt)] + look()
        }
    }

    // MARK: The name that was wanted

    /// Has it looked for who has the wanted name, where there is another one.
    private mutating func look() -> [PublishAction] {
        guard state == .established, name != advertisement.name, owners == nil else { return [] }
        owners = 0
        return [.lookFor(name: advertisement.name)]
    }

    /// Somebody has the wanted name, or no longer: one for each link that it is seen on.
    mutating func sawOwner(_ kind: ObjectEvent.Kind, now: ContinuousClock.Instant) {
        guard let count = owners, !isClaiming else { return }
        switch kind {
        case .new: owners = count + 1
        case .remove: owners = max(0, count - 1)
        }
        noteOwners(now: now)
    }

    /// Notes that whoever has the wanted name has had the time to say so.
    mutating func lookedUp(now: ContinuousClock.Instant) {
        guard !isClaiming else { return }
        noteOwners(now: now)
    }

    private mutating func noteOwners(now: ContinuousClock.Instant) {
        if owners == 0 { wanted.noteFree(now: now) } else { wanted.noteOwner() }
    }

    /// The daemon has taken, or refused, the wanted name in a second entry group.
    mutating func claimed(_ error: AvahiError?) -> [PublishAction] {
        guard isClaiming, error != nil else { return [] }
        return stopClaiming() + look()
    }

    /// The second entry group has told something.
    mutating func receiveFromClaim(_ event: ObjectEvent) -> [PublishAction] {
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

    private mutating func stopClaiming() -> [PublishAction] {
        let wasClaiming = isClaiming
        let wasLooking = owners != nil
        isClaiming = false
        owners = nil
        wanted.noteOwner()
        return (wasClaiming ? [.abandon] : []) + (wasLooking ? [.stopLooking] : [])
    }

    // MARK: Names

    private mutating func publish() -> [PublishAction] {
        state = .registering
        let report: [PublishAction] = isSlowedReported ? [] : [.report(.publishing(waitingFor: nil))]
        return report + [.publish(name: name, txt: txt)]
    }

    private mutating func collision(now: ContinuousClock.Instant) -> [PublishAction] {
        let pause = pacing.noteConflict(now: now)
        let former = name
        name = AlternativeName.next(after: former)
        let stop = stopClaiming()
        guard pause > .zero else {
            return stop + (isSlowedReported ? [] : [.report(.renamed(from: former, to: name))]) + publish()
        }
        state = .slowed(until: now + pause)
        defer { isSlowedReported = true }
        let news: [PublishAction] =
            isSlowedReported ? [] : [.report(.publishing(waitingFor: .namesTaken(advertisement.name)))]
        return stop + [.reset] + news
    }

    private mutating func fail(_ code: BackendError.Code, _ message: String) -> [PublishAction] {
        state = .failed
        return stopClaiming() + [.reset, .report(.failed(BackendError(code, message)))]
    }
}
