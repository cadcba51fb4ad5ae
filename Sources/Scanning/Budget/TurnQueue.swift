internal import DNSSD
internal import DequeModule

/// A queue of the probes that wait at one address: SRV hosts take turns, and both among them and among each host's
/// endpoints the oldest and the newest alternate, so that a forger of thousands of them delays a real one for a while,
/// but cannot hide it.
struct TurnQueue<Entry: Sendable>: Sendable {
    private var hosts: Deque<DomainName?> = []
    private var entries = PackedTable<DomainName?, HostEntries>()

    /// Indicates whether the next turn is that of the newest entry.
    private(set) var takesNewest: Bool

    private(set) var count = 0

    /// - Parameter takesNewest: Indicates whether the newest entry comes first.
    init(takesNewest: Bool = false) {
        self.takesNewest = takesNewest
    }

    mutating func append(_ entry: Entry, host: DomainName?) {
        if entries[host] == nil { hosts.append(host) }
        change(host) { $0.append(entry) }
        count += 1
    }

    private mutating func change(_ host: DomainName?, _ body: (inout HostEntries) -> Void) {
        var own = entries.removeValue(forKey: host) ?? HostEntries()
        body(&own)
        entries[host] = own
    }

    /// Removes and returns the next entry.
    mutating func popFirst() -> Entry? {
        guard let host = takesNewest ? hosts.popLast() : hosts.popFirst(), var own = entries.removeValue(forKey: host)
        else { return nil }
        let entry = takesNewest ? own.popLast() : own.popFirst()
        if !own.isEmpty {
            entries[host] = own
            // In the middle: at either end, it would be the next one again.
            hosts.insert(host, at: hosts.count / 2)
        }
        takesNewest.toggle()
        count -= 1
        return entry
    }

    /// Puts back the entry that was taken last.
    mutating func putBack(_ entry: Entry, host: DomainName?) {
        takesNewest.toggle()
        if entries[host] != nil {
            hosts.removeAll { $0 == host }
        }
        if takesNewest {
            hosts.append(host)
            change(host) { $0.append(entry) }
        } else {
            hosts.prepend(host)
            change(host) { $0.prepend(entry) }
        }
        count += 1
    }

    /// Removes the entries that are no longer wanted.
    mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
        for host in hosts {
            entries[host]?.removeAll(where: isUnwanted)
            if entries[host]?.isEmpty == true { entries[host] = nil }
        }
        hosts.removeAll { entries[$0] == nil }
        count = hosts.reduce(0) { $0 + (entries[$1]?.count ?? 0) }
    }

    /// The entries of one host, in order. In a flood each host has one, which takes no memory of its own.
    private struct HostEntries {
        private var first: Entry?
        private var others: Deque<Entry> = []

        var isEmpty: Bool { first == nil }
        var count: Int { others.count + (isEmpty ? 0 : 1) }

        mutating func append(_ entry: Entry) {
            if isEmpty { first = entry } else { others.append(entry) }
        }

        mutating func prepend(_ entry: Entry) {
            if let first { others.prepend(first) }
            first = entry
        }

        mutating func popFirst() -> Entry? {
            defer { first = others.popFirst() }
            return first
        }

        mutating func popLast() -> Entry? { others.popLast() ?? first.take() }

        mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
            others.removeAll(where: isUnwanted)
            if first.map(isUnwanted) == true { first = others.popFirst() }
        }
    }
}
