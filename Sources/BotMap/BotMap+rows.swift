internal import GatewayProtocol

/// From groups of leads to rows.
extension BotMap {
    /// Makes the rows of all groups that may have changed, and notes what did.
    mutating func refresh() {
        guard !dirty.isEmpty else { return }
        var dirty: [Dirty] = []
        swap(&dirty, &self.dirty)
        var done: Set<GroupKey> = []
        let isAlone = dirty.count == 1
        for item in dirty {
            refreshSingle(item)
            // As a whole, once.
            if isAlone || done.insert(item.group).inserted { refreshWhole(item.group) }
        }
    }

    /// In a crowded group: the row of one claimant.
    private mutating func refreshSingle(_ item: Dirty) {
        guard case .fingerprint(let fingerprint) = item.group, let id = item.lead,
            let group = groups[item.group], group.isCrowded
        else { return }
        let row = GatewayID.claimant(fingerprint, id)
        guard !group.rows.contains(row) else { return }
        if let lead = leads[id], lead.group == item.group, !lead.isProved, let picture = picture(of: id) {
            show(makeRow(row, item.group, [picture], isDisputed: true))
        } else {
            hide(row)
        }
    }

    private mutating func refreshWhole(_ key: GroupKey) {
        let group = groups[key] ?? LeadGroup()
        let isCrowded = group.claimants.count > limits.claimsPerFingerprint
        if isCrowded != group.isCrowded {
            groups[key]?.isCrowded = isCrowded
            if case .fingerprint(let fingerprint) = key {
                for id in group.claimants { swapSingle(.claimant(fingerprint, id), of: id, in: key, isCrowded) }
            }
        }
        let members = isCrowded ? group.proved : group.proved + group.claimants
        var pictures = members.compactMap { picture(of: $0) }
        if pictures.count > 1 { pictures.sort { $0.id < $1.id } }
        let clusters = Clustering.clusters(of: pictures)
        let new = rowsOf(clusters, key, isDisputed: isCrowded || clusters.count > 1)

        let ids = new.map(\.id)
        // Not those of before: a crowd has just come or gone.
        let old = groups[key]?.rows ?? []
        for id in old where !ids.contains(id) { hide(id) }
        for row in new { show(row) }
        if ids != old { groups[key, default: LeadGroup()].rows = ids }
        if groups[key]?.isEmpty == true { groups[key] = nil }
    }

    /// When a group becomes crowded, or is so no more.
    private mutating func swapSingle(_ row: GatewayID, of id: GatewayLead, in key: GroupKey, _ isCrowded: Bool) {
        if isCrowded {
            guard let picture = picture(of: id) else { return }
            show(makeRow(row, key, [picture], isDisputed: true))
            groups[key]?.rows.removeAll { $0 == row }
        } else {
            // The whole group is made next, and what is still a row is found among those.
            groups[key]?.rows.append(row)
        }
    }

    /// The rows of a group, in the order of their first leads; with one for what is paired and not here.
    private func rowsOf(_ clusters: [[LeadPicture]], _ key: GroupKey, isDisputed: Bool) -> [Gateway] {
        let main: GatewayID
        switch key {
        case .fingerprint(let fingerprint): main = .fingerprint(fingerprint)
        case .lead(let lead): main = .lead(lead)
        }
        var rows: [Gateway] = []
        var hasMain = false
        for cluster in clusters {
            var id = main
            if isDisputed, case .fingerprint(let fingerprint) = key, !cluster.contains(where: \.isProved) {
                id = .claimant(fingerprint, cluster[0].id)
            }
            if id == main { hasMain = true }
            rows.append(makeRow(id, key, cluster, isDisputed: isDisputed))
        }
        if !hasMain, records[main]?.values.contains(where: { $0.pairing != nil }) == true {
            rows.append(makeRow(main, key, [], isDisputed: isDisputed))
        }
        return rows
    }

    private mutating func show(_ row: Gateway) {
        guard let before = rows.updateValue(row, forKey: row.id) else {
            changes.append(.found(row))
            return
        }
        let aspects = row.aspects(changedSince: before)
        if !aspects.isEmpty { changes.append(.changed(row, aspects)) }
    }

    private mutating func hide(_ id: GatewayID) {
        if let row = rows.removeValue(forKey: id) { changes.append(.lost(row)) }
    }
}
