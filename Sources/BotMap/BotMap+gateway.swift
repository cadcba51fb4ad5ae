internal import DNSSD
internal import GatewayProtocol

/// One row, from the leads that are one gateway.
extension BotMap {
    /// Makes a row; of no leads, for a paired gateway that is not here.
    func makeRow(_ id: GatewayID, _ key: GroupKey, _ cluster: [LeadPicture], isDisputed: Bool) -> Gateway {
        let paths = Self.paths(of: cluster)
        var fingerprint = cluster.first?.fingerprint
        if case .fingerprint(let claimed) = key { fingerprint = claimed }
        // A claimant that is not proved gets nothing of what is remembered of the real one.
        let records = records[id] ?? [:]
        let isPaired = records.values.contains { $0.pairing != nil }
        let isProved = paths.first?.proof.isConclusive == true && paths.first?.contradicts == false

        var flags: Set<GatewayFlag> = []
        if isDisputed && !cluster.isEmpty { flags.insert(.sameFingerprint) }
        if cluster.contains(where: \.isContradictory) || paths.contains(where: \.contradicts) {
            flags.insert(.contradicts)
        }
        if isPaired && !isProved && !paths.isEmpty { flags.insert(.moved) }

        let teller = paths.teller?.outcome?.identity
        let told = paths.botTeller?.outcome?.identity?.bots ?? []
        var bots: [Bot] = []
        var leftOut = 0
        for description in told {
            let record = records[description.id]
            guard bots.count < limits.botsPerGateway || record?.pairing != nil else {
                leftOut += 1
                continue
            }
            bots.append(Self.bot(BotKey(gateway: id, bot: description.id), description, record))
        }
        if !records.isEmpty {
            let known = Set(told.map(\.id))
            for (bot, record) in records.sorted(by: { $0.key < $1.key }) where !known.contains(bot) {
                // One that is being paired is shown as long as its gateway is.
                guard record.pairing != nil || !cluster.isEmpty else { continue }
                bots.append(Self.bot(BotKey(gateway: id, bot: bot), nil, record))
            }
        }
        let particulars = GatewayParticulars(
            id: id,
            fingerprint: fingerprint,
            name: name(of: cluster, teller, records),
            services: cluster.compactMap { leads[$0.lead].isPresent ? leads[$0.lead].service?.instance : nil },
            bots: bots,
            botsLeftOut: leftOut,
            flags: flags,
            isPaired: isPaired
        )
        return Gateway(particulars: particulars, paths: paths)
    }

    /// The paths of all leads, each endpoint once, the one to try first in front.
    private static func paths(of cluster: [LeadPicture]) -> [GatewayPath] {
        guard cluster.count > 1 else { return cluster.first?.paths ?? [] }
        var paths: [Endpoint: GatewayPath] = [:]
        for path in cluster.lazy.flatMap(\.paths) {
            guard var known = paths[path.endpoint] else {
                paths[path.endpoint] = path
                continue
            }
            known.reach = min(known.reach, path.reach)
            known.isTypedIn = known.isTypedIn || path.isTypedIn
            known.contradicts = known.contradicts && path.contradicts
            paths[path.endpoint] = known
        }
        return paths.values.sorted { $0.precedes($1) }
    }

    private static func bot(_ key: BotKey, _ description: BotDescription?, _ record: BotRecord?) -> Bot {
        Bot(
            id: key,
            name: BotMapLimits.capped(description?.name ?? record?.pairing?.name ?? key.bot.text),
            emoji: (description?.emoji ?? record?.pairing?.emoji).map(BotMapLimits.capped),
            status: description?.status.map(BotMapLimits.capped),
            state: record?.state ?? .discovered,
            isPaired: record?.pairing != nil
        )
    }

    /// What it calls itself, else what a present service calls it, else what it was called at pairing.
    private func name(
        of cluster: [LeadPicture],
        _ teller: GatewayIdentity?,
        _ records: [BotID: BotRecord]
    ) -> String {
        if let name = teller?.name, !name.isEmpty { return BotMapLimits.capped(name) }
        let services = cluster.map(\.lead).filter { leads[$0].service != nil }
        if let lead = services.first(where: { leads[$0].isPresent }) ?? services.first { return leads[lead].name }
        let named = records.filter { $0.value.pairing?.gatewayName != nil }.min { $0.key < $1.key }
        if let name = named?.value.pairing?.gatewayName { return BotMapLimits.capped(name) }
        return cluster.first.map { leads[$0.lead].name } ?? ""
    }
}
