internal import DNSSD

/// Where a publication stands, and what is to be done next. A value: no clock, no I/O.
///
/// The daemon does the probing (RFC 6762 §8.1) and says goodbye for us; what is left to do is to publish again whenever
/// it has a new host name or has been restarted, and to take another name after a conflict (RFC 6763 Appendix D), for a
/// limited number of times. The name that stuck is kept over restarts.
struct PublishStateMachine {
    private enum State: Hashable {
        /// The daemon is not ready.
        case waiting
        /// Handed to the daemon, which probes.
        case registering
        case established
        case failed
    }

    private let advertisement: Advertisement
    private let maximumRenames: Int

    private var state = State.waiting
    private var renames = 0
    private var txt: TXTRecord

    /// The name under which it is, or is being, published.
    private(set) var name: String

    init(_ advertisement: Advertisement, maximumRenames: Int) {
        self.advertisement = advertisement
        self.maximumRenames = maximumRenames
        self.name = advertisement.name
        self.txt = advertisement.txt
    }

    /// Whether nothing more will happen.
    var isFinished: Bool { state == .failed }

    /// The daemon came, went or changed.
    mutating func daemonChanged(to condition: DaemonCondition) -> [PublishAction] {
        switch (state, condition) {
        case (.failed, _):
            return []
        case (_, .starting):
            state = .waiting
            return []
        case (_, .unavailable(let error)):
            state = .waiting
            return [.report(.publishing(waitingFor: error))]
        case (_, .up(isSettled: false)):
            // Its host name is being claimed anew: what points to the old one is withdrawn.
            let wasPublished = state != .waiting
            state = .waiting
            return wasPublished ? [.reset, .report(.publishing(waitingFor: nil))] : []
        case (.waiting, .up(isSettled: true)):
            // A network that was met before has its conflicts settled; a new one gets its own tries.
            renames = 0
            return publish()
        case (_, .up(isSettled: true)):
            return []
        }
    }

    /// The daemon has taken, or refused, what was added.
    mutating func added(_ error: AvahiError?) -> [PublishAction] {
        guard state == .registering, let error else { return [] }
        switch error {
        case .collision:
            return collision()
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
        case (.waiting, _), (.failed, _):
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
    mutating func receive(_ event: ObjectEvent) -> [PublishAction] {
        switch (state, event) {
        case (.registering, .groupEstablished):
            state = .established
            return [.report(.published(name: name))]
        case (.registering, .groupCollision), (.established, .groupCollision):
            return collision()
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
        case .waiting, .failed: return []
        case .registering, .established: return [.updateTXT(name: name, txt: txt)]
        }
    }

    private mutating func publish() -> [PublishAction] {
        state = .registering
        return [.report(.publishing(waitingFor: nil)), .publish(name: name, txt: txt)]
    }

    private mutating func collision() -> [PublishAction] {
        guard renames < maximumRenames else {
            return fail(
                .nameConflict,
                "\"\(advertisement.name)\" and \(maximumRenames) other names up to \"\(name)\" are taken on this network. "
                    + "Choose another name."
            )
        }
        renames += 1
        let former = name
        name = AlternativeName.next(after: former)
        return [.report(.renamed(from: former, to: name))] + publish()
    }

    private mutating func fail(_ code: BackendError.Code, _ message: String) -> [PublishAction] {
        state = .failed
        return [.reset, .report(.failed(BackendError(code, message)))]
    }
}
