internal import DNSSD

/// Taking back the requested name when another host no longer has it: see ``/DNSSD/WantedName``.
///
/// A successor claims that name while the publication keeps its present one; once the claim is announced, the
/// publication takes it over.
extension Responder {
    /// The time between two look-ups of the name while no owner is found, and after one was found.
    private static let lookupInterval = (free: Duration.seconds(20), taken: Duration.seconds(60))

    /// The time at which ``lookForWantedNames(using:)`` has something to do.
    var lookupDeadline: ContinuousClock.Instant? {
        publications.keys.lazy.compactMap { isLookedFor($0) ? publications[$0]?.nextLookup : nil }.min()
    }

    /// Indicates whether a publication is visible under another name than the requested one, which no successor is
    /// claiming yet.
    private func isLookedFor(_ id: PublicationID) -> Bool {
        guard let publication = publications[id], publication.name != publication.advertisement.name,
            publication.successorOf == nil, case .published = publication.reported
        else { return false }
        return publication.successor == nil
    }

    /// Asks for the owners of requested names, and takes back names that nobody has.
    mutating func lookForWantedNames(using random: inout some RandomNumberGenerator) {
        for id in publications.keys.sorted() where isLookedFor(id) {
            guard let publication = publications[id], publication.nextLookup.map({ $0 <= now }) ?? true else {
                continue
            }
            if let due = publication.wanted.due, due <= now {
                publications[id]?.wanted.noteTry(now: now)
                publications[id]?.nextLookup = now + Self.lookupInterval.taken
                claimWantedName(of: id, using: &random)
                continue
            }
            publications[id]?.wanted.noteFree(now: now)
            // While it is too early for another try, there is no use in asking more often.
            let due = publications[id]?.wanted.due ?? now
            let next = max(now + Self.lookupInterval.free, due - Self.lookupInterval.free * 3)
            publications[id]?.nextLookup = next
            let questions = publication.wantedNames.map { DNSQuestion(name: $0, type: .srv) }
            let packet = DNSMessage(questions: questions).encoded().bytes
            for path in paths.keys.sorted() where publication.applies(to: path.interface) {
                guard packet.count <= MulticastGroup.payload(path.family) else { continue }
                send([packet], on: path)
            }
        }
    }

    /// Handles records that may show that a requested name is taken.
    mutating func noteOwnersOfWantedNames(_ records: [DNSRecord]) {
        for id in publications.keys where isLookedFor(id) {
            guard let publication = publications[id] else { continue }
            let names = publication.wantedNames
            let isTaken = records.contains { $0.type == .srv && $0.ttl > 0 && names.contains($0.name) }
            if isTaken { noteOwnerOfWantedName(of: id) }
        }
    }

    mutating func noteOwnerOfWantedName(of id: PublicationID) {
        publications[id]?.wanted.noteOwner()
        publications[id]?.nextLookup = now + Self.lookupInterval.taken
    }

    private mutating func claimWantedName(of id: PublicationID, using random: inout some RandomNumberGenerator) {
        guard let publication = publications[id] else { return }
        let advertisement = publication.advertisement
        guard let records = try? records(of: advertisement, named: advertisement.name, text: publication.text),
            // Another publication of this process may have it.
            !records.names.contains(where: { owners[$0] != nil })
        else { return }
        let successor = nextID()
        publications[successor] = Publication(
            advertisement,
            name: advertisement.name,
            text: publication.text,
            records: records
        )
        publications[successor]?.successorOf = id
        publications[id]?.successor = successor
        claims[.publication(successor)] = Claim()
        own(.publication(successor))
        syncPhases(using: &random)
    }

    /// Gives publications the names that their successors have announced, and sends goodbyes for the former names.
    mutating func takeOverFromSuccessors() {
        for successor in publications.keys.sorted() where claims[.publication(successor)]?.isAnnounced == true {
            guard let next = publications[successor], let id = next.successorOf else { continue }
            sayGoodbye([.publication(id)])
            if let publication = publications[id] { former.insert(publication.records.unique, now: now) }
            disown(.publication(id))
            disown(.publication(successor))
            publications[successor] = nil
            publications[id]?.successor = nil
            publications[id]?.name = next.name
            publications[id]?.records = next.records
            publications[id]?.text = next.text
            publications[id]?.nextLookup = nil
            claims[.publication(id)] = claims.removeValue(forKey: .publication(successor))
            own(.publication(id))
            invalidateAll()
            findClaimDeadline()
            report(id, .published(name: next.name))
        }
    }
}
