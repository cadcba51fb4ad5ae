internal import DNSMessages
internal import DNSSD

/// One port of a ``OneShotQuery``, on one interface and family, and what it has brought.
struct OneShotPath {
    /// The interface with its addresses.
    var link: Link

    /// The id of its latest questions: whoever answers must have seen one of them.
    private(set) var id: UInt16

    /// How many ids have been used, the latest ones that still count.
    private var ids: UInt16 = 0

    /// The instances that are known here.
    var rows: [DNSName: OneShotRow] = [:]

    /// The addresses of the hosts that are known here.
    var addresses: [DNSName: Set<IPAddress>] = [:]

    /// The instances that are incomplete, and may be asked for.
    var missing: Set<DNSName> = []

    /// Whether some of these have not been looked at: those that were asked for have their time.
    var hasNewMissing = false

    /// Which of the instances that may be given up came from whom.
    var ledger = SourceLedger<DNSName, PacketSource>()

    /// The instances on a host.
    var guests: [DNSName: Set<DNSName>] = [:]

    /// Whether somebody here cuts his answers: then little is asked for at a time.
    var isCut = false

    /// Whether the question may still be asked by multicast here.
    var mayMulticast = false

    /// How often the first question has been repeated, and when it is next.
    var repetitions = 0
    var repeatAt: ContinuousClock.Instant?

    /// Whether a repeated question has brought something new or could not be sent, or the socket has lost answers.
    var hasGap = false

    /// When it was first asked here, and when an answer last came.
    let opened: ContinuousClock.Instant
    var lastAnswer: ContinuousClock.Instant?

    /// When what is incomplete is asked for next.
    var askAt: ContinuousClock.Instant?

    /// Until when that can be put off.
    var askBy: ContinuousClock.Instant?

    /// How many bytes of names and records are kept here.
    var byteCount = 0

    /// - Parameters:
    ///   - id: What the ids count up from.
    ///   - now: When it is first asked here.
    init(link: Link, id: UInt16, now: ContinuousClock.Instant) {
        self.link = link
        self.id = id
        self.opened = now
    }

    /// For how many questions answers are taken.
    private static let idsInUse: UInt16 = 32

    /// The id for more questions. The same bytes again within a second would be taken for a doubled packet by some
    /// responders, and not be answered.
    mutating func nextID() -> UInt16 {
        // 0 is what multicast questions have.
        id = id == .max ? 1 : id + 1
        ids = min(ids + 1, Self.idsInUse)
        return id
    }

    /// Whether it is the id of one of the latest questions.
    func hasAsked(_ id: UInt16) -> Bool { self.id &- id < ids }

    /// Whether something is known to be missing: a question was lost, or an answer to it.
    var lacksSomething: Bool { hasGap || rows.values.contains { $0.told == nil && !$0.isConfirmed } }

    /// Whether there is anything that the backend does not confirm.
    var hasUnconfirmed: Bool { rows.values.contains { $0.told != nil && !$0.isConfirmed } }

    /// Notes that an instance is on another host, or on none.
    mutating func move(_ instance: DNSName, from old: DNSName?, to new: DNSName?) {
        if let old, guests[old]?.remove(instance) != nil, guests[old]?.isEmpty == true { guests[old] = nil }
        if let new { guests[new, default: []].insert(instance) }
    }

    /// Forgets the addresses of hosts that no instance is on.
    ///
    /// - Returns: How many bytes they took.
    mutating func forgetHosts() -> Int {
        var bytes = 0
        for host in addresses.keys where guests[host] == nil {
            addresses[host] = nil
            bytes += host.wire.count
        }
        return bytes
    }
}
