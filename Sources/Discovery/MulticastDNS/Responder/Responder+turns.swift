internal import DNSSD
internal import HostSystem

/// Doing the work that is due.
extension Responder {
    /// Does what is due, and returns the actions to perform, in order.
    mutating func turn(
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> [ResponderAction] {
        self.now = now
        endSilences()
        advanceClaims()
        lookForWantedNames(using: &random)
        answerDeferred(using: &random)
        for path in paths.keys.sorted() {
            guard let deadline = paths[path]?.deadline, deadline <= now else { continue }
            // Rebuilding the zone drops pending answers that are no longer ours.
            _ = zone(of: path)
            multicast(paths[path]?.takeDue(now: now) ?? [], on: path)
        }
        defer { actions = [] }
        return actions
    }

    /// The time at which ``turn(now:using:)`` is to be called; at once if an action is waiting.
    var deadline: ContinuousClock.Instant? {
        if !actions.isEmpty { return now }
        return
            ([claimDeadline, deferred.deadline, lookupDeadline] + coResponders.values.map(\.silentUntil)
            + paths.values.map(\.deadline)).compactMap { $0 }.min()
    }

    /// Multicasts answers with their additional records.
    mutating func multicast(_ answers: [DNSRecord], on path: ServicePath) {
        guard !answers.isEmpty else { return }
        let zone = zone(of: path)
        let limit = MulticastGroup.payload(path.family)
        send(ResponsePackets.make(answers, additionals: zone.additionals, limit: limit), on: path)
        paths[path]?.noteSent(answers, now: now)
    }

    mutating func send(_ packets: [[UInt8]], on path: ServicePath) {
        let group = MulticastGroup.endpoint(on: path)
        for packet in packets {
            actions.append(.send(packet, on: path, to: SocketAddress(group.address, port: group.port)))
        }
    }
}
