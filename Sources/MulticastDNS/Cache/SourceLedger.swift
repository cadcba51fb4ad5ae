internal import DNSMessages

/// Which source brought which instances, so that the one that brings most can be made to give some back.
///
/// Every operation costs the same however many there are: what is done for one forged packet must not depend on how many
/// came before.
struct SourceLedger {
    /// An instance, between the ones that its source brought before and after.
    private struct Entry {
        let source: PacketSource
        var older: DNSName?
        var newer: DNSName?
    }

    private struct Account {
        var count = 0
        var newest: DNSName?
        /// Where it stands among the sources with as many.
        var position = 0
    }

    private var entries: [DNSName: Entry] = [:]
    private var accounts: [PacketSource: Account] = [:]

    /// The sources by how many instances they brought.
    private var ranks: [[PacketSource]] = [[]]

    /// The highest rank that is not empty.
    private(set) var highestCount = 0

    /// How many instances are entered.
    var count: Int { entries.count }

    /// How many instances a source brought.
    func count(of source: PacketSource) -> Int { accounts[source]?.count ?? 0 }

    /// Enters an instance that is not entered.
    mutating func insert(_ name: DNSName, from source: PacketSource) {
        guard entries[name] == nil else { return }
        let older = accounts[source]?.newest
        entries[name] = Entry(source: source, older: older, newer: nil)
        if let older { entries[older]?.newer = name }
        accounts[source, default: Account()].newest = name
        move(source, by: 1)
    }

    /// Takes an instance out.
    mutating func remove(_ name: DNSName) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        if let older = entry.older { entries[older]?.newer = entry.newer }
        if let newer = entry.newer {
            entries[newer]?.older = entry.older
        } else {
            accounts[entry.source]?.newest = entry.older
        }
        move(entry.source, by: -1)
    }

    /// The newest instance of a source that brought most. Of several such sources one is drawn: a forger with many
    /// addresses must not be able to choose whose instance it is.
    func newestOfHighest(using random: inout some RandomNumberGenerator) -> DNSName? {
        ranks[highestCount].randomElement(using: &random).flatMap { accounts[$0]?.newest }
    }

    private mutating func move(_ source: PacketSource, by difference: Int) {
        guard var account = accounts[source] else { return }
        if account.count > 0 {
            let last = ranks[account.count].removeLast()
            if last != source {
                ranks[account.count][account.position] = last
                accounts[last]?.position = account.position
            }
        }
        account.count += difference
        if account.count == 0 {
            accounts[source] = nil
        } else {
            if account.count == ranks.count { ranks.append([]) }
            account.position = ranks[account.count].count
            ranks[account.count].append(source)
            accounts[source] = account
        }
        if account.count > highestCount { highestCount = account.count }
        // A source that leaves a rank goes to the next one, so that this ends at once.
        while highestCount > 0, ranks[highestCount].isEmpty { highestCount -= 1 }
    }
}
