internal import DNSSD
internal import HostSystem

/// Living beside other responders of this host.
extension Responder {
    /// Handles a probe of another responder of this host for the host's name: if its addresses differ from ours, it is
    /// left unanswered, see ``CoResponder``.
    mutating func handleCoResponderProbe(_ packet: ResponderPacket) {
        let path = packet.path
        guard claims[.host] != nil, let link = paths[path]?.link, isOwn(packet.source.address) else { return }
        let theirs = packet.message.authorities.filter { record in
            record.name == host.name && (record.type == .a || record.type == .aaaa)
        }
        guard !theirs.isEmpty else { return }
        let types = Set(theirs.map(\.type))
        let ours = PublishedRecords(host: host.name, addresses: addresses(of: link)).unique
        // Our own probes come back as well, and a probe for the same addresses does no harm. The same is true for
        // records that we have just ceased to publish.
        let isTrouble = ours.contains { record in
            types.contains(record.type) && !theirs.contains { $0.data == record.data }
        }
        guard isTrouble, !theirs.allSatisfy({ former.contains($0, now: now) }), !isEcho(theirs, on: path) else {
            return
        }
        coResponders[path, default: CoResponder()].noteClaim(theirs, now: now)
        invalidate(path)
    }

    /// Indicates whether records are what we claim ourselves beside a co-responder.
    private func isEcho(_ records: [DNSRecord], on path: ServicePath) -> Bool {
        guard coResponders[path] != nil, let ours = self.records(of: .host, on: path)?.unique else { return false }
        return Set(records.map(\.data)) == Set(ours.map(\.data))
    }

    /// Resumes sending the host's records where the other responder has had its time.
    mutating func endSilences() {
        for (path, coResponder) in coResponders {
            guard let end = coResponder.silentUntil, end <= now else { continue }
            coResponders[path]?.silentUntil = nil
            invalidate(path)
        }
    }
}
