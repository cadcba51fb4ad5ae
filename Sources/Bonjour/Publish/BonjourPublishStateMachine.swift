internal import DNSSD

/// The state of a publication, which decides what is to be done next. A value: no clock, no I/O.
///
/// After a conflict on the network (RFC 6762 §9) the library chooses another name by itself, and reports it once it is
/// visible. It refuses a name that another program of this host has registered; the next one is then chosen here. All
/// types of a publication share one name: when one of them is renamed, all are registered again under the new name.
/// After several renames in a row the publication pauses for a moment before it goes on. The name that was accepted is
/// kept when the daemon restarts.
struct BonjourPublishStateMachine {
    private enum State: Hashable {
        /// The daemon is not available.
        case waiting
        /// The name is being probed for; these registrations are complete.
        case registering(Set<RegistrationKey>)
        case established
        case failed
    }

    private let advertisement: Advertisement
    private let registrations: Set<RegistrationKey>
    private let maximumRenames: Int

    private var state = State.waiting
    private var renames = 0
    private var txt: TXTRecord

    /// The name under which it is, or is being, published.
    private(set) var name: String

    init(_ advertisement: Advertisement, registrations: Set<RegistrationKey>, maximumRenames: Int = 12) {
        self.advertisement = advertisement
        self.registrations = registrations
        self.maximumRenames = maximumRenames
        self.name = advertisement.name
        self.txt = advertisement.txt
    }

    /// Indicates whether ``connect()`` is to be called after a while.
    var isWaiting: Bool { state == .waiting }

    /// Publishes, at the start and whenever the daemon may be back.
    mutating func connect() -> [BonjourPublishAction] {
        guard state == .waiting else { return [] }
        renames = 0
        return publish()
    }

    /// Handles an error of the library: the daemon has gone, or refuses.
    ///
    /// - Parameter time: The time that the failed call took.
    mutating func failed(_ error: DNSServiceError, after time: Duration = .zero) -> [BonjourPublishAction] {
        guard state != .failed else { return [] }
        switch error {
        case .badParameter, .invalid:
            return fail(.invalid, "libdns_sd does not publish \"\(name)\": \(error).")
        case .nameConflict, .alreadyRegistered:
            return rename(to: AlternativeName.next(after: name), isVisible: false)
        default:
            return unavailable(BackendError(error, after: time))
        }
    }

    /// Withdraws the publication until the daemon may be back, since nothing can be published now, for this reason.
    mutating func unavailable(_ error: BackendError) -> [BonjourPublishAction] {
        guard state != .failed else { return [] }
        state = .waiting
        return [.withdraw, .report(.publishing(waitingFor: error))]
    }

    /// Handles a registration that is now visible under this name.
    mutating func registered(_ key: RegistrationKey, as registered: String) -> [BonjourPublishAction] {
        switch state {
        case .waiting, .failed:
            return []
        case .registering, .established:
            break
        }
        // If there is only one registration, the library has already published it under its new name.
        if registered != name { return rename(to: registered, isVisible: registrations.count == 1) }
        guard case .registering(var done) = state else { return [] }
        done.insert(key)
        guard done == registrations else {
            state = .registering(done)
            return []
        }
        state = .established
        return [.report(.published(name: name))]
    }

    /// Replaces the TXT record.
    mutating func update(_ txt: TXTRecord) -> [BonjourPublishAction] {
        guard txt != self.txt else { return [] }
        self.txt = txt
        switch state {
        case .waiting, .failed: return []
        case .registering, .established: return [.updateTXT(txt)]
        }
    }

    private mutating func publish() -> [BonjourPublishAction] {
        state = .registering([])
        return [.report(.publishing(waitingFor: nil)), .register(name: name, txt: txt)]
    }

    private mutating func rename(to next: String, isVisible: Bool) -> [BonjourPublishAction] {
        guard renames < maximumRenames else {
            name = next
            return unavailable(.namesTaken(advertisement.name))
        }
        renames += 1
        let former = name
        name = next
        if isVisible {
            state = .established
            return [.report(.renamed(from: former, to: name)), .report(.published(name: name))]
        }
        return [.withdraw, .report(.renamed(from: former, to: name))] + publish()
    }

    private mutating func fail(_ code: ErrorCode<BackendError>, _ message: String) -> [BonjourPublishAction] {
        state = .failed
        return [.withdraw, .report(.failed(BackendError(code, message)))]
    }
}

/// An action that a ``BonjourPublishStateMachine`` asks for.
enum BonjourPublishAction: Hashable, Sendable {
    /// Register every type under this name, with this TXT record.
    case register(name: String, txt: TXTRecord)

    /// Withdraw every registration.
    case withdraw

    /// Replace the TXT record of every registration.
    case updateTXT(TXTRecord)

    /// Report the state of the publication.
    case report(PublicationState)
}
