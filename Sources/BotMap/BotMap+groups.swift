internal import GatewayProtocol

/// Which lead is in which group.
extension BotMap {
    /// Puts a lead where it belongs by what is known now, and has its group looked at again.
    mutating func touch(_ lead: Slot<Lead>) {
        guard !leads[lead].isForgotten else { return }
        let picture = picture(of: lead)
        let isProved = picture?.isProved ?? false
        let group: Slot<LeadGroup>
        if let known = leads[lead].group, isProved == leads[lead].isProved, belongs(in: groups[known].key, picture) {
            group = known
        } else {
            if let left = withdraw(lead) { dirty.append(Dirty(group: left, lead: lead)) }
            group = enter(lead, groupKey(of: lead, picture), isProved: isProved)
        }
        dirty.append(Dirty(group: group, lead: lead, picture: picture))
        if picture == nil { rememberLost(lead) }
    }

    /// The fingerprint by which a lead is grouped. What is not shown is nobody's claimant.
    private func claim(of picture: LeadPicture?) -> GatewayFingerprint? {
        guard let picture, !picture.isContradictory else { return nil }
        return picture.fingerprint
    }

    private func groupKey(of lead: Slot<Lead>, _ picture: LeadPicture?) -> GroupKey {
        claim(of: picture).map { .fingerprint($0) } ?? .lead(leads[lead].key)
    }

    /// Whether a lead's group is the right one for it.
    private func belongs(in key: GroupKey, _ picture: LeadPicture?) -> Bool {
        switch key {
        case .fingerprint(let fingerprint): claim(of: picture) == fingerprint
        // It can be in no other lead's.
        case .lead: claim(of: picture) == nil
        }
    }

    private mutating func enter(_ lead: Slot<Lead>, _ key: GroupKey, isProved: Bool) -> Slot<LeadGroup> {
        let group = groups.slot(of: key) ?? groups.insert(LeadGroup(key))
        leads[lead].place = groups[group].add(lead, isProved: isProved)
        leads[lead].group = group
        leads[lead].isProved = isProved
        return group
    }

    /// Takes a lead out of its group.
    ///
    /// - Returns: The group, if it was in one.
    mutating func withdraw(_ lead: Slot<Lead>) -> Slot<LeadGroup>? {
        guard let group = leads[lead].group else { return nil }
        let place = leads[lead].place
        if let moved = groups[group].remove(at: place, isProved: leads[lead].isProved) { leads[moved].place = place }
        leads[lead].group = nil
        note(nil, of: lead)
        return group
    }

    /// Notes which row a lead is part of, where it is looked for when a path of it changes.
    mutating func note(_ row: Slot<Row>?, of lead: Slot<Lead>) {
        leads[lead].row = row
        for endpoint in leads[lead].endpoints {
            endpoints[endpoint].row = endpoints[endpoint].leads.count == 1 ? row : nil
        }
    }
}
