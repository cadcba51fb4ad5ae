internal import DNSSD

/// Publishing services.
extension Responder {
    /// Begins to publish a service.
    ///
    /// - Throws: When the service cannot be published, whatever the state of the network: a name or text is too long,
    ///   or there are too many publications already.
    mutating func publish(
        _ advertisement: Advertisement,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) throws(BackendError) -> PublicationID {
        self.now = now
        guard publications.count < limits.publications else {
            throw BackendError(
                .limitReached,
                "\(limits.publications) publications are the most that one process can have. Withdraw some."
            )
        }
        guard !advertisement.types.isEmpty else {
            throw BackendError(
                .invalid,
                "\"\(DisplayText(advertisement.name))\" has no service type. Name one at least."
            )
        }
        let text = try Self.text(of: advertisement.txt, advertisement)
        let records = try records(of: advertisement, named: advertisement.name, text: text)
        let id = nextID()
        publications[id] = Publication(advertisement, name: advertisement.name, text: text, records: records)
        claims[.publication(id)] = Claim()
        report(id, .publishing(waitingFor: nil))
        // Another publication of this process may have the name: the network need not be asked about it.
        own(.publication(id))
        while publications[id]?.records.names.contains(where: { owners[$0] != .publication(id) }) == true {
            guard takeNextName(id) else { return id }
        }
        syncPhases(using: &random)
        return id
    }

    /// Replaces the TXT record (RFC 6762 §8.4). A record that is too long ends the publication, which would otherwise
    /// keep announcing outdated facts.
    mutating func update(_ id: PublicationID, text txt: TXTRecord, now: ContinuousClock.Instant) {
        self.now = now
        guard let publication = publications[id] else { return }
        let text: [UInt8]
        let records: PublishedRecords
        do throws(BackendError) {
            text = try Self.text(of: txt, publication.advertisement)
            guard text != publication.text else { return }
            records = try self.records(of: publication.advertisement, named: publication.name, text: text)
        } catch {
            sayGoodbye(endingWith(id))
            fail(id, error)
            return
        }
        former.insert(publication.records.unique, now: now)
        if let successor = publication.successor { update(successor, text: txt, now: now) }
        publications[id]?.text = text
        publications[id]?.records = records
        let due = publications[id]?.noteUpdate(now: now) ?? now
        for (path, phase) in claims[.publication(id)]?.phases ?? [:] {
            switch phase {
            case .probing, .waiting: continue
            case .announcing(_, _, only: nil):
                setPhase(.announcing(sent: 0, next: due, only: nil), of: .publication(id), on: path)
            case .announcing, .established:
                setPhase(.announcing(sent: 0, next: due, only: .txt), of: .publication(id), on: path)
            }
        }
        invalidateAll()
    }

    /// Withdraws a publication with a goodbye (RFC 6762 §10.1).
    mutating func withdraw(_ id: PublicationID, now: ContinuousClock.Instant) {
        self.now = now
        guard publications[id] != nil else { return }
        sayGoodbye(endingWith(id))
        report(id, .withdrawn)
        remove(id)
    }

    /// Ends a publication that goes on elsewhere, without a goodbye, so that nobody sees it vanish. Nothing more is
    /// reported about it.
    mutating func stopSilently(_ id: PublicationID, now: ContinuousClock.Instant) {
        self.now = now
        guard publications[id] != nil else { return }
        remove(id)
    }

    // MARK: Names

    /// Takes the next name for a publication, and reports that, unless so many names were taken that only the final one
    /// is reported.
    ///
    /// - Returns: Whether there is another name; if not, the publication has failed.
    mutating func takeNextName(_ id: PublicationID) -> Bool {
        guard let publication = publications[id] else { return false }
        let former = publication.name
        let name = AlternativeName.next(after: former)
        let records: PublishedRecords
        do throws(BackendError) {
            records = try self.records(of: publication.advertisement, named: name, text: publication.text)
        } catch {
            fail(id, error)
            return false
        }
        disown(.publication(id))
        publications[id]?.name = name
        publications[id]?.records = records
        own(.publication(id))
        if !publication.isSlowed { report(id, .renamed(from: former, to: name)) }
        invalidateAll()
        return true
    }

    /// Takes the next name for this host, which the records of all publications point to from now on.
    mutating func takeNextHostName() {
        disown(.host)
        host = host.alternative
        own(.host)
        for (id, publication) in publications {
            former.insert(publication.records.unique, now: now)
            // This cannot fail: the names were short enough before, and the host's name is not part of them.
            guard
                let records = try? records(
                    of: publication.advertisement,
                    named: publication.name,
                    text: publication.text
                )
            else { continue }
            publications[id]?.records = records
            for (path, phase) in claims[.publication(id)]?.phases ?? [:] where phase.isOurs {
                setPhase(.waiting, of: .publication(id), on: path)
            }
        }
        invalidateAll()
    }

    func records(
        of advertisement: Advertisement,
        named name: String,
        text: [UInt8]
    ) throws(BackendError) -> PublishedRecords {
        do {
            return try PublishedRecords(advertisement, named: name, text: text, host: host.name)
        } catch {
            throw BackendError(
                .invalid,
                "\"\(DisplayText(name))\" cannot be published: \(error). A name has 1 to 63 bytes."
            )
        }
    }

    private static func text(of txt: TXTRecord, _ advertisement: Advertisement) throws(BackendError) -> [UInt8] {
        do {
            return try txt.encoded()
        } catch {
            throw BackendError(.invalid, "\"\(DisplayText(advertisement.name))\" cannot be published: \(error)")
        }
    }

    private func names(of key: ClaimKey) -> [DomainName] {
        switch key {
        case .host: [host.name]
        case .publication(let id): publications[id]?.records.names ?? []
        }
    }

    mutating func own(_ key: ClaimKey) {
        for name in names(of: key) where owners[name] == nil { owners[name] = key }
    }

    mutating func disown(_ key: ClaimKey) {
        for name in names(of: key) where owners[name] == key { owners[name] = nil }
    }

    // MARK: Ending publications

    /// Returns the claims that end with a publication: its own, that of its successor, and with the last publication
    /// also the host's.
    private func endingWith(_ id: PublicationID) -> [ClaimKey] {
        let ids = [id] + [publications[id]?.successor].compactMap(\.self)
        let keys = ids.map { ClaimKey.publication($0) }
        return publications.count == ids.count ? keys + [.host] : keys
    }

    /// Gives a publication up, and reports why.
    private mutating func fail(_ id: PublicationID, _ error: BackendError) {
        report(id, .failed(error))
        remove(id)
    }

    mutating func remove(_ id: PublicationID) {
        if let successor = publications[id]?.successor { remove(successor) }
        if let former = publications[id]?.successorOf { publications[former]?.successor = nil }
        if let publication = publications[id] { former.insert(publication.records.unique, now: now) }
        disown(.publication(id))
        publications[id] = nil
        claims[.publication(id)] = nil
        if publications.isEmpty {
            disown(.host)
            claims[.host] = nil
        }
        dropUnwantedPhases()
        invalidateAll()
        findClaimDeadline()
    }

    /// Sends goodbyes for the records of claims, except for records that another claim of this process still needs.
    mutating func sayGoodbye(_ keys: [ClaimKey]) {
        for path in paths.keys.sorted() {
            var kept = RecordZone()
            for (key, claim) in claims where !keys.contains(key) && claim.phases[path]?.isOurs == true {
                if let records = records(of: key, on: path) { kept.insert(records) }
            }
            var seen: Set<DNSRecord> = []
            var goodbyes: [DNSRecord] = []
            for key in keys where claims[key]?.phases[path]?.isAnnounced == true {
                // Another responder of this host keeps using the host's name.
                if key == .host, coResponders[path] != nil { continue }
                guard let records = records(of: key, on: path) else { continue }
                for var record in records.shared + records.unique where !kept.contains(record) {
                    record.ttl = 0
                    if seen.insert(record).inserted { goodbyes.append(record) }
                }
            }
            send(ResponsePackets.make(goodbyes, limit: MulticastGroup.payload(path.family)), on: path)
        }
    }

    /// Reports the state of a publication, unless it was reported already.
    mutating func report(_ id: PublicationID, _ state: PublicationState) {
        guard let publication = publications[id], publication.successorOf == nil, publication.reported != state else {
            return
        }
        publications[id]?.reported = state
        actions.append(.report(id, state))
    }
}
