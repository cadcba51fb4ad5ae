/// What most events come to: an endpoint still answers, in another time than before.
///
/// Of a row, liveness and round-trip time decide how its paths are ordered, and by that, who of several that tell different
/// things is believed; where a lead is lost, also whether it is shown. All else stays as it is, and is not even looked at:
/// in a large map, each thing that is looked at has to be fetched from memory.
extension BotMap {
    /// Puts what is known of an endpoint's liveness into the rows that show it, where this changes nothing else.
    ///
    /// - Returns: `false` when it may; then the rows are to be made anew. What was put in by then is right all the same.
    mutating func patchRows(with endpoint: Slot<EndpointFacts>) -> Bool {
        if let row = endpoints[endpoint].row, endpoints[endpoint].presentLeads == 1 {
            return patch(row, with: endpoint)
        }
        let leads = endpoints[endpoint].leads
        guard leads.count == Int(endpoints[endpoint].presentLeads), !leads.isEmpty else { return false }
        for lead in leads {
            guard let row = self.leads[lead].row, patch(row, with: endpoint) else { return false }
        }
        return true
    }

    private mutating func patch(_ row: Slot<Row>, with endpoint: Slot<EndpointFacts>) -> Bool {
        let liveness = endpoints[endpoint].liveness
        let roundTrip = endpoints[endpoint].roundTrip
        var index = 0
        var place = 0
        if rows[row].gateway.paths.count != 1 {
            guard let known = rows[row].gateway.paths.index(of: endpoints[endpoint].key) else { return false }
            index = known
            place = rows[row].gateway.paths.place(ofPathAt: index, liveness, roundTrip)
        }
        let aspects: GatewayAspects
        if place == index {
            aspects = rows[row].gateway.paths[index].update(liveness, roundTrip)
        } else {
            let before = rows[row].gateway.paths
            var paths = before
            var path = paths.remove(at: index)
            _ = path.update(liveness, roundTrip)
            paths.insert(path, at: place)
            guard paths.tellTheSame(as: before) else { return false }
            rows[row].gateway.paths = paths
            aspects = paths.differences(fromOrder: before)
        }
        // Nothing, when another lead of the same row came first.
        if !aspects.isEmpty { changes.append(.changed(rows[row].gateway, aspects.set)) }
        return true
    }
}
