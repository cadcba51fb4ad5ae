/// A record of which source brought which service instances, so that room can be taken back from the source that
/// brought the most.
///
/// Every operation takes constant time: the work for one forged packet must not depend on how many came before.
/// Everything is inlinable, because generic code of another module would go through witness tables for every record.
package struct SourceLedger<Instance: Hashable & Sendable, Source: Hashable & Sendable>: Sendable {
    /// An instance in the linked list of its source's instances, from oldest to newest.
    @usableFromInline struct Entry {
        @usableFromInline let source: Source
        @usableFromInline var older: Instance?
        @usableFromInline var newer: Instance?

        @inlinable init(source: Source, older: Instance?, newer: Instance?) {
            self.source = source
            self.older = older
            self.newer = newer
        }
    }

    @usableFromInline struct Account {
        @usableFromInline var count = 0
        @usableFromInline var newest: Instance?
        /// The position of the source among those with the same number of instances.
        @usableFromInline var position = 0

        @inlinable init() {}
    }

    @usableFromInline var entries = PackedTable<Instance, Entry>()
    @usableFromInline var accounts: [Source: Account] = [:]

    /// The sources, indexed by the number of instances that they brought.
    @usableFromInline var ranks: [[Source]] = [[]]

    /// The highest rank that is not empty.
    @usableFromInline package internal(set) var highestCount = 0

    /// The number of recorded instances.
    @inlinable package var count: Int { entries.count }

    @inlinable package init() {}

    /// Returns the number of instances that a source brought.
    @inlinable package func count(of source: Source) -> Int { accounts[source]?.count ?? 0 }

    /// Records an instance, unless it is already recorded.
    @inlinable package mutating func insert(_ instance: Instance, from source: Source) {
        guard entries[instance] == nil else { return }
        var account = accounts[source] ?? Account()
        entries[instance] = Entry(source: source, older: account.newest, newer: nil)
        if let older = account.newest { entries[older]?.newer = instance }
        account.newest = instance
        move(source, account, to: account.count + 1)
    }

    /// Removes an instance.
    @inlinable package mutating func remove(_ instance: Instance) {
        guard let entry = entries.removeValue(forKey: instance), var account = accounts[entry.source] else { return }
        entries.giveBackRoom()
        if let older = entry.older { entries[older]?.newer = entry.newer }
        if let newer = entry.newer {
            entries[newer]?.older = entry.older
        } else {
            account.newest = entry.older
        }
        move(entry.source, account, to: account.count - 1)
    }

    /// Returns the newest instance of the source that brought the most. If there are several such sources, one is drawn
    /// at random: a forger with many addresses must not be able to choose whose instance it is.
    @inlinable package func newestOfHighest(using random: inout some RandomNumberGenerator) -> Instance? {
        ranks[highestCount].randomElement(using: &random).flatMap { accounts[$0]?.newest }
    }

    @inlinable mutating func move(_ source: Source, _ account: Account, to count: Int) {
        var account = account
        if account.count > 0 {
            let last = ranks[account.count].removeLast()
            if last != source {
                ranks[account.count][account.position] = last
                accounts[last]?.position = account.position
            }
            // A source that brings many instances passes through as many ranks: free their storage.
            if ranks[account.count].isEmpty { ranks[account.count] = [] }
        }
        account.count = count
        if count == 0 {
            accounts[source] = nil
        } else {
            if count == ranks.count { ranks.append([]) }
            account.position = ranks[count].count
            ranks[count].append(source)
            accounts[source] = account
        }
        if count > highestCount { highestCount = count }
        // A source that leaves a rank enters a neighbouring one, so that this loop ends at once.
        while highestCount > 0, ranks[highestCount].isEmpty { highestCount -= 1 }
    }
}

/// The sender of a packet on one link, identified by its source address, which anybody on the link can forge.
package struct PacketSource: Hashable, Sendable {
    /// The halves of the address; of an IPv4 address, those of its IPv4-mapped form. A `UInt128` would align each record
    /// to 16 bytes.
    private let high: UInt64
    private let low: UInt64

    package init(_ address: IPAddress) {
        switch address {
        case .v4(let address):
            self.high = 0
            self.low = 0xFFFF << 32 | UInt64(address.bits)
        case .v6(let address):
            self.high = UInt64(truncatingIfNeeded: address.bits >> 64)
            self.low = UInt64(truncatingIfNeeded: address.bits)
        }
    }
}
