internal import GatewayProtocol

/// From groups of leads to rows.
extension BotMap {
    /// Makes the rows of all groups that may have changed, and notes what did.
    mutating func refresh() {
        guard !dirty.isEmpty else { return }
        // Nearly always one.
        if dirty.count == 1 {
            let item = dirty.removeLast()
            refreshSingle(item)
            refreshWhole(item.group, item)
            return
        }
        var dirty: [Dirty] = []
        swap(&dirty, &self.dirty)
        var done: Set<Slot<LeadGroup>> = []
        for item in dirty {
            refreshSingle(item)
            // As a whole, once.
            if done.insert(item.group).inserted { refreshWhole(item.group, nil) }
        }
    }

    /// In a crowded group: the row of one claimant.
    private mutating func refreshSingle(_ item: Dirty) {
        guard groups[item.group].isCrowded, let lead = item.lead, let id = claimant(lead, in: item.group) else {
            return
        }
        let row = rows.slot(of: id)
        if let row, groups[item.group].rows.contains(row) { return }
        if leads[lead].group == item.group, !leads[lead].isProved, let picture = picture(of: lead) {
            note(show(makeRow(id, groups[item.group].key, [picture], isDisputed: true)), of: lead)
        } else if let row {
            hide(row)
        }
    }

    /// Which row one claimant of a fingerprint is, where there are several.
    private func claimant(_ lead: Slot<Lead>, in group: Slot<LeadGroup>) -> GatewayID? {
        guard case .fingerprint(let fingerprint) = groups[group].key else { return nil }
        return .claimant(fingerprint, leads[lead].key)
    }

    /// - Parameter item: The only thing that is dirty, if there is but one.
    private mutating func refreshWhole(_ slot: Slot<LeadGroup>, _ item: Dirty?) {
        let isCrowded = groups[slot].claimants.count > limits.claimsPerFingerprint
        if isCrowded != groups[slot].isCrowded {
            groups[slot].isCrowded = isCrowded
            for lead in groups[slot].claimants { swapSingle(lead, in: slot, isCrowded) }
        }
        // Not those of before: a crowd has just come or gone.
        let old = groups[slot].rows
        // Not in one expression: what is called on `self` with something that changes `self` is called on a copy of all.
        let pictures = pictures(of: slot, item)
        let made = rowsOf(pictures, slot)
        for row in old where !made.contains(where: { $0.gateway.id == rows[row].key }) { hide(row) }
        var new: [Slot<Row>] = []
        for (gateway, cluster) in made {
            let row = show(gateway, among: old)
            for picture in cluster { note(row, of: picture.lead) }
            new.append(row)
        }
        if new != old { groups[slot].rows = new }
        if groups[slot].isEmpty { groups.remove(slot) }
    }

    /// The leads of a group that are looked at together, sorted.
    private mutating func pictures(of slot: Slot<LeadGroup>, _ item: Dirty?) -> [LeadPicture] {
        let group = groups[slot]
        let members = group.isCrowded ? group.proved : group.proved + group.claimants
        // It was made when the lead was touched, and nothing has happened since.
        if members.count == 1, members[0] == item?.lead, let picture = item?.picture { return [picture] }
        var pictures: [LeadPicture] = []
        for lead in members {
            if let picture = picture(of: lead) { pictures.append(picture) } else { note(nil, of: lead) }
        }
        if pictures.count > 1 { pictures.sort { leads[$0.lead].key < leads[$1.lead].key } }
        return pictures
    }

    /// When a group becomes crowded, or is so no more.
    private mutating func swapSingle(_ lead: Slot<Lead>, in group: Slot<LeadGroup>, _ isCrowded: Bool) {
        guard let id = claimant(lead, in: group) else { return }
        if isCrowded {
            guard let picture = picture(of: lead) else { return }
            let row = show(makeRow(id, groups[group].key, [picture], isDisputed: true))
            note(row, of: lead)
            groups[group].rows.removeAll { $0 == row }
        } else if let row = rows.slot(of: id) {
            // The whole group is made next, and what is still a row is found among those.
            groups[group].rows.append(row)
        }
    }

    /// The rows of a group, in the order of their first leads; with one for what is paired and not here.
    private func rowsOf(_ pictures: [LeadPicture], _ slot: Slot<LeadGroup>) -> [(gateway: Gateway, [LeadPicture])] {
        let key = groups[slot].key
        let clusters = Clustering.clusters(of: pictures, in: leads)
        let isDisputed = groups[slot].isCrowded || clusters.count > 1
        let main: GatewayID
        switch key {
        case .fingerprint(let fingerprint): main = .fingerprint(fingerprint)
        case .lead(let lead): main = .lead(lead)
        }
        var rows: [(gateway: Gateway, [LeadPicture])] = []
        var hasMain = false
        for cluster in clusters {
            var id = main
            if isDisputed, case .fingerprint(let fingerprint) = key, !cluster.contains(where: \.isProved) {
                id = .claimant(fingerprint, leads[cluster[0].lead].key)
            }
            if id == main { hasMain = true }
            rows.append((makeRow(id, key, cluster, isDisputed: isDisputed), cluster))
        }
        if !hasMain, records[main]?.values.contains(where: { $0.pairing != nil }) == true {
            rows.append((makeRow(main, key, [], isDisputed: isDisputed), []))
        }
        return rows
    }

    /// - Parameter known: Rows among which it probably is, where it can be had without hashing.
    private mutating func show(_ new: Gateway, among known: [Slot<Row>] = []) -> Slot<Row> {
        guard let row = known.first(where: { rows[$0].key == new.id }) ?? rows.slot(of: new.id) else {
            changes.append(.found(new))
            return rows.insert(Row(gateway: new))
        }
        let aspects = new.differences(from: rows[row].gateway)
        if !aspects.isEmpty {
            rows[row].gateway = new
            changes.append(.changed(new, aspects.set))
        }
        return row
    }

    private mutating func hide(_ row: Slot<Row>) {
        changes.append(.lost(rows[row].gateway))
        rows.remove(row)
    }
}
