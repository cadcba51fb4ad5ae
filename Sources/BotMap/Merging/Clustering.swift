internal import DNSSD
internal import GatewayProtocol

/// Tells which of the leads that claim one fingerprint are one gateway.
enum Clustering {
    /// What two leads that are one gateway have in common.
    private enum Evidence: Hashable {
        /// Both have proved it.
        case proof

        /// The same TLS leaf, which nobody can present without its key.
        case leaf(LeafFingerprint)

        /// The same host of SRV records with the same address on the same link.
        case host(DomainName, IPAddress, NetworkInterface)

        /// The same endpoints, all of them, so that nothing is added by taking both for one.
        case endpoints([Slot<EndpointFacts>])
    }

    /// Puts together what is one gateway.
    ///
    /// - Parameters:
    ///   - pictures: Leads of one group, sorted.
    ///   - leads: What is known of them.
    /// - Returns: Their clusters, each sorted, by their first leads.
    static func clusters(of pictures: [LeadPicture], in leads: Slab<Lead>) -> [[LeadPicture]] {
        guard pictures.count > 1 else { return pictures.isEmpty ? [] : [pictures] }
        var roots = Array(pictures.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while roots[index] != index { index = roots[index] }
            return index
        }
        var holders: [Evidence: Int] = [:]
        for (index, picture) in pictures.enumerated() {
            for evidence in evidence(of: picture, leads[picture.lead]) {
                guard let holder = holders.updateValue(index, forKey: evidence) else { continue }
                let (left, right) = (root(holder), root(index))
                roots[max(left, right)] = min(left, right)
            }
        }
        // A typed-in endpoint joins one gateway at most, and never makes one of two.
        for (index, picture) in pictures.enumerated() where roots[index] == index {
            let lead = leads[picture.lead]
            guard lead.service == nil else { continue }
            guard !pictures.indices.contains(where: { $0 != index && root($0) == index }) else { continue }
            let homes = pictures.indices.filter { leads[pictures[$0].lead].isService(at: lead.endpoints) }
            guard let home = homes.first(where: { pictures[$0].isProved }) ?? homes.first else { continue }
            // Services come before endpoints, so that roots stay the smallest of their clusters.
            roots[index] = root(home)
        }
        var clusters: [Int: [LeadPicture]] = [:]
        for (index, picture) in pictures.enumerated() { clusters[root(index), default: []].append(picture) }
        return clusters.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func evidence(of picture: LeadPicture, _ lead: Lead) -> [Evidence] {
        var evidence: [Evidence] = lead.endpoints.isEmpty ? [] : [.endpoints(lead.endpoints)]
        if picture.isProved { evidence.append(.proof) }
        for path in picture.paths where !path.contradicts {
            if let leaf = path.outcome?.identity?.leaf { evidence.append(.leaf(leaf)) }
        }
        guard let service = lead.service else { return evidence }
        for sighting in service.sightings.values {
            guard let host = sighting.host else { continue }
            for address in sighting.addresses { evidence.append(.host(host, address, sighting.path.interface)) }
        }
        return evidence
    }
}

extension Lead {
    /// Whether it is a service that leads to all of these endpoints.
    fileprivate func isService(at endpoints: [Slot<EndpointFacts>]) -> Bool {
        service != nil && endpoints.allSatisfy { self.endpoints.contains($0) }
    }
}
