internal import GatewayProtocol

/// Which lead is in which group.
extension BotMap {
    /// Puts a lead where it belongs by what is known now, and has its group looked at again.
    mutating func touch(_ id: GatewayLead) {
        guard let lead = leads[id] else { return }
        let picture = picture(of: id)
        // What is not shown is nobody's claimant.
        var group = GroupKey.lead(id)
        if let picture, !picture.isContradictory, let fingerprint = picture.fingerprint {
            group = .fingerprint(fingerprint)
        }
        let isProved = picture?.isProved ?? false
        if group != lead.group || isProved != lead.isProved {
            withdraw(lead)
            dirty.append(Dirty(group: lead.group, lead: id))
            enter(id, group, isProved: isProved)
        }
        dirty.append(Dirty(group: group, lead: id))
        if picture == nil { rememberLost(id) }
    }

    private mutating func enter(_ id: GatewayLead, _ key: GroupKey, isProved: Bool) {
        let place = groups[key, default: LeadGroup()].add(id, isProved: isProved)
        leads[id]?.group = key
        leads[id]?.isProved = isProved
        leads[id]?.place = place
    }

    /// Takes a lead out of its group.
    mutating func withdraw(_ lead: Lead) {
        let moved = groups[lead.group]?.remove(at: lead.place, isProved: lead.isProved)
        if let moved { leads[moved]?.place = lead.place }
    }
}
