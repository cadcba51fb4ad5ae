internal import DNSSD
internal import HostSystem

/// The primary server of a zone: finds it, and carries out steps there.
actor ZoneServer {
    /// The longest time that one exchange may take.
    private static let timeout = Duration.seconds(5)

    /// The zone that has a domain, and its primary server.
    private struct Place {
        let zone: DomainName
        let servers: [Endpoint]
    }

    /// The server that was given; `nil` for the one that the zone names.
    private let given: Endpoint?
    private let signer: TransactionSigner
    private var transport: DNSTransport?
    private var places: [DomainName: Place] = [:]

    init(_ given: Endpoint?, signer: TransactionSigner) {
        self.given = given
        self.signer = signer
    }

    /// Carries out a step; `nil` for one that does nothing.
    func carryOut(_ step: ZoneStep, in domain: DomainName) async -> ZoneResult? {
        do throws(UpdateProblem) {
            switch step {
            case .rest: return nil
            case .update(let update, let domain):
                try await send(update, to: domain)
                return .updated
            case .ask(let questions):
                return .answers(try await answers(to: questions, at: try await place(of: domain).servers))
            }
        } catch {
            // The zone may be elsewhere by now.
            if !error.meansOtherRecords { places = [:] }
            return .failed(error)
        }
    }

    private func send(_ update: ZoneUpdate, to domain: DomainName) async throws(UpdateProblem) {
        let place = try await place(of: domain)
        let time = UInt64(WallClock.milliseconds / 1_000)
        let signed = signer.sign(update.message(zone: place.zone, id: .random(in: 0 ... .max)), at: time)
        let bytes = try await exchange(signed.bytes, place.servers)
        let now = UInt64(WallClock.milliseconds / 1_000)
        let code = try signer.verify(bytes, respondsTo: signed, at: now).flags.responseCode
        guard code == .noError else { throw .refused(code) }
    }

    private func answers(
        to questions: [DNSQuestion],
        at servers: [Endpoint],
        over carrier: DNSTransport.Carrier = .tcp,
        flags: DNSFlags = .query
    ) async throws(UpdateProblem) -> [DNSMessage] {
        let results = await withTaskGroup(of: (Int, Result<DNSMessage, UpdateProblem>).self) { group in
            // The ids differ, so that each answer is given to its question.
            let first = UInt16.random(in: 0 ... .max)
            for (index, question) in questions.enumerated() {
                let id = first &+ UInt16(truncatingIfNeeded: index)
                let message = DNSMessage(id: id, flags: flags, questions: [question])
                group.addTask { (index, await self.answer(to: message, servers, carrier)) }
            }
            var results: [Int: Result<DNSMessage, UpdateProblem>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        var answers: [DNSMessage] = []
        for index in questions.indices { if let result = results[index] { answers.append(try result.get()) } }
        return answers
    }

    private func answer(
        to message: DNSMessage,
        _ servers: [Endpoint],
        _ carrier: DNSTransport.Carrier
    ) async -> Result<DNSMessage, UpdateProblem> {
        do throws(UpdateProblem) {
            let bytes = try await exchange(message.encoded().bytes, servers, carrier)
            guard let answer = try? DNSReceivedMessage(decoding: bytes).message else { throw .malformed }
            let code = answer.flags.responseCode
            guard [.noError, .noSuchName].contains(code) else { throw .refused(code) }
            return .success(answer)
        } catch {
            return .failure(error)
        }
    }

    /// Sends a message to the first of the servers that answers.
    private func exchange(
        _ message: [UInt8],
        _ servers: [Endpoint],
        _ carrier: DNSTransport.Carrier = .tcp
    ) async throws(UpdateProblem) -> [UInt8] {
        var problem = "has no address"
        for server in servers {
            do {
                if transport == nil { transport = try DNSTransport() }
                guard let transport else { continue }
                return try await transport.exchange(message, with: server, over: carrier, within: Self.timeout)
            } catch {
                problem = "\(error)"
            }
        }
        throw .unreachable(problem)
    }

    // MARK: Places

    private func place(of domain: DomainName) async throws(UpdateProblem) -> Place {
        if let place = places[domain] { return place }
        let place: Place
        if let given {
            place = Place(zone: try await start(of: domain, [given], .query).zone, servers: [given])
        } else {
            let (zone, primary) = try await start(of: domain, ResolverFile.current.servers, .recursiveQuery)
            let addresses = await SystemResolver.addresses(of: primary.escaped, within: Self.timeout) ?? []
            let servers = addresses.map { Endpoint(address: $0, port: DNSTransport.port) }
            place = Place(zone: zone, servers: servers)
        }
        places[domain] = place
        return place
    }

    /// Returns the zone that a domain is in, and the name of its primary server.
    private func start(
        of domain: DomainName,
        _ servers: [Endpoint],
        _ flags: DNSFlags
    ) async throws(UpdateProblem) -> (zone: DomainName, primary: DomainName) {
        var problem = UpdateProblem.refused(.notAuthoritative)
        let question = DNSQuestion(name: domain, type: .soa)
        // The servers of routers often know no TCP, and one that refuses says nothing for the next one.
        for (server, carrier) in servers.flatMap({ [($0, DNSTransport.Carrier.tcp), ($0, .udp)] }) {
            do throws(UpdateProblem) {
                let answers = try await answers(to: [question], at: [server], over: carrier, flags: flags)
                for record in answers.flatMap({ $0.answers + $0.authorities }) where domain.isWithin(record.name) {
                    if case .soa(let soa) = record.data { return (record.name, soa.primary) }
                }
            } catch {
                problem = error
            }
        }
        throw problem
    }
}
