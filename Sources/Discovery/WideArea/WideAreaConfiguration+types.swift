package import DNSSD

extension WideAreaConfiguration {
    /// Lists the service types in the domains (RFC 6763 §9), each once, sorted.
    ///
    /// - Parameter limit: The longest time that this may take.
    /// - Returns: The types, and the reasons why some domains cannot be read.
    package func serviceTypes(within limit: Duration) async -> (types: [ServiceType], troubles: [String]) {
        let wanted = domains.compactMap { domain in
            ZoneQuestion("_services._dns-sd._udp", in: domain).map { (domain, $0) }
        }
        var questions = self.questions(.current, now: .now)
        for (_, question) in wanted { questions.want(question, now: .now) }
        guard let runner = try? ZoneRunner(questions, step: { $0.isBusy }) else { return ([], []) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        questions = await runner.work
        var types: Set<ServiceType> = []
        var troubles: [String] = []
        for (domain, question) in wanted {
            for case .ptr(let name) in questions.records(question) ?? [] {
                // What follows them is the domain, and says nothing more.
                let labels = name.labels.prefix(2).map { DomainName.escape($0) }
                if let type = try? ServiceType(labels.joined(separator: ".")) { types.insert(type) }
            }
            guard questions.records(question) == nil else { continue }
            let reason = questions.trouble(question) ?? "no server answers in time"
            troubles.append("\(domain.shown) cannot be read: \(reason)")
        }
        return (types.sorted(), troubles)
    }

    /// Makes the questions to the servers that are to be asked.
    func questions(_ system: ResolverFile, now: ContinuousClock.Instant) -> ZoneQuestions {
        ZoneQuestions(servers: servers.isEmpty ? system.servers : servers, perSecond: questionsPerSecond, now: now)
    }
}
