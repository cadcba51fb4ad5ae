internal import DNSMessages
internal import DNSSD

/// One port of a ``OneShotQuery``, on one interface and family, and what it has brought.
struct OneShotPath {
    /// The interface with its addresses.
    var link: Link

    /// The id of its questions: whoever answers must have seen one of them.
    let id: UInt16

    /// The instances that are known here.
    var rows: [DNSName: OneShotRow] = [:]

    /// The addresses of the hosts that are known here.
    var addresses: [DNSName: Set<IPAddress>] = [:]

    /// The instances on a host.
    var guests: [DNSName: Set<DNSName>] = [:]

    /// Whether somebody here cuts his answers: then little is asked for at a time.
    var isCut = false

    /// Whether the socket has lost answers since the last question.
    var hasLost = false

    /// How often what is incomplete has been asked for.
    var round = 0

    /// When it is asked for next.
    var askAt: ContinuousClock.Instant?

    /// Until when that can be put off.
    var askBy: ContinuousClock.Instant?

    /// How many bytes of names and records are kept here.
    var byteCount = 0

    init(link: Link, id: UInt16) {
        self.link = link
        self.id = id
    }

    /// Whether there is anything that the backend does not confirm.
    var hasUnconfirmed: Bool { rows.values.contains { $0.told != nil && !$0.isConfirmed } }

    /// Notes that an instance is on another host, or on none.
    mutating func move(_ instance: DNSName, from old: DNSName?, to new: DNSName?) {
        if let old, guests[old]?.remove(instance) != nil, guests[old]?.isEmpty == true { guests[old] = nil }
        if let new { guests[new, default: []].insert(instance) }
    }

    /// Forgets the addresses of hosts that no instance is on.
    mutating func forgetHosts() {
        for host in addresses.keys where guests[host] == nil {
            addresses[host] = nil
            byteCount -= host.wire.count
        }
    }
}
