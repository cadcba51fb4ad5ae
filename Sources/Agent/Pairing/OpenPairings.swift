internal import Discovery
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import Scanning
internal import Synchronization

/// The pairings that are begun by the agent: each a conversation that goes on when somebody replies. Nothing is sent to a
/// gateway before the question whether to trust it is answered, and no answer is given in advance.
package final class OpenPairings: Sendable {
    /// The maximum number of pairings that go on at the same time.
    package static let limit = 8

    /// The maximum number of pairings that have ended and are still shown.
    static let mostEnded = 16

    /// The time after which a pairing that has not ended is given up.
    package static let lifetime = Duration.seconds(30 * 60)

    /// The time for looking up the addresses of a host.
    private static let lookTimeout = Duration.seconds(5)

    /// All pairings at one moment.
    package struct Snapshot: Sendable {
        /// Grows with each change.
        package var revision: UInt64 = 0

        /// The pairings, in the order in which they began.
        package var pairings: [OpenPairing] = []

        package init() {}
    }

    /// Pairs with a gateway, and asks by the conversation.
    typealias Pairer = @Sendable (NewPairing, PairingConversation) async -> PairingState

    private struct Job: Sendable {
        let new: NewPairing
        let conversation: PairingConversation
        let pairer: Pairer
    }

    private let conversations = Mutex<[PairingConversation]>([])
    private let shown = Broadcast(Snapshot())
    private let changes = Mutex(Snapshot())
    private let coordinator = Mutex<(store: PairingStore, coordinator: PairingCoordinator)?>(nil)
    private let (jobs, job) = AsyncStream.makeStream(of: Job.self)
    private let lifetime: Duration

    init(lifetime: Duration = OpenPairings.lifetime) {
        self.lifetime = lifetime
    }

    /// All pairings as they are now.
    package var snapshot: Snapshot { shown.value }

    /// Returns all pairings as soon as they have changed since a revision; `nil` if the task is cancelled before.
    package func snapshot(after revision: UInt64) async -> Snapshot? {
        for await snapshot in shown.stream(limit: 1) where snapshot.revision > revision { return snapshot }
        return nil
    }

    /// Runs the pairings until the task is cancelled, which gives them all up.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await self.run(job) } }
            group.cancelAll()
        }
    }

    /// Begins a pairing; `nil` if there are too many.
    func begin(_ new: NewPairing, _ pairer: @escaping Pairer) -> OpenPairing? {
        let now = Timestamp.now
        let pairing = OpenPairing(
            id: RandomID<OpenPairing>().description,
            start: now,
            end: Timestamp(milliseconds: now.milliseconds + Int(lifetime / .milliseconds(1))),
            bots: new.bots,
            name: new.name
        )
        let conversation = PairingConversation(pairing) { [weak self] in self?.show($0) }
        let hasBegun = conversations.withLock { all in
            guard all.count(where: { !$0.pairing.step.isFinal }) < Self.limit else { return false }
            all.append(conversation)
            let surplus = all.filter(\.pairing.step.isFinal).dropLast(Self.mostEnded)
            all.removeAll { one in surplus.contains { $0 === one } }
            return true
        }
        guard hasBegun else { return nil }
        show(pairing)
        job.yield(Job(new: new, conversation: conversation, pairer: pairer))
        return pairing
    }

    /// Replies to the question of a pairing; `nil` if there is no such pairing.
    package func reply(_ reply: PairingReply, to id: String) throws(PairingReply.Problem) -> OpenPairing? {
        try conversation(id)?.reply(reply)
    }

    /// Gives a pairing up; `nil` if there is no such pairing. One that has been granted already is stored.
    package func cancel(_ id: String) -> OpenPairing? {
        guard let found = conversation(id) else { return nil }
        found.cancellation.yield()
        return found.pairing
    }

    private func conversation(_ id: String) -> PairingConversation? {
        conversations.withLock { $0.first { $0.pairing.id == id } }
    }

    private func show(_ pairing: OpenPairing) {
        changes.withLock { snapshot in
            snapshot.revision += 1
            if let index = snapshot.pairings.firstIndex(where: { $0.id == pairing.id }) {
                snapshot.pairings[index] = pairing
            } else {
                snapshot.pairings.append(pairing)
            }
            let surplus = Set(snapshot.pairings.filter(\.step.isFinal).dropLast(Self.mostEnded).map(\.id))
            snapshot.pairings.removeAll { surplus.contains($0.id) }
            shown.send(snapshot)
        }
    }

    private func run(_ job: Job) async {
        let conversation = job.conversation
        // The pairing takes back what it was granted after it was cancelled, so that its own end is awaited.
        let end: PairingState? = await withTaskGroup(of: PairingState?.self) { group in
            group.addTask { await job.pairer(job.new, conversation) }
            group.addTask {
                for await _ in conversation.cancellations { return nil }
                return nil
            }
            group.addTask { [lifetime] in
                try? await Task.sleep(for: lifetime)
                return nil
            }
            var end: PairingState?
            for await state in group {
                group.cancelAll()
                if let state { end = state }
            }
            return end
        }
        _ = await conversation.enter(.pairing(end ?? .cancelled))
    }

    // MARK: Pairing

    /// Returns what pairs by a store.
    func pairer(
        _ store: PairingStore,
        _ constellation: Constellation,
        version: String
    ) -> Pairer {
        let coordinator = self.coordinator.withLock { kept in
            // Only one and the same knows which gateways it is pairing with.
            if let kept, kept.store === store { return kept.coordinator }
            let made = store.pairingCoordinator(constellation, version: version, nil)
            kept = (store, made)
            return made
        }
        return { new, conversation in
            do throws(PairingError) {
                return .paired(try await Self.pair(new, conversation, coordinator, constellation))
            } catch {
                return error.code == .cancelled ? .cancelled : .failed(error)
            }
        }
    }

    private static func pair(
        _ new: NewPairing,
        _ conversation: PairingConversation,
        _ coordinator: PairingCoordinator,
        _ constellation: Constellation
    ) async throws(PairingError) -> PairingID {
        var (target, code) = try await target(new, conversation, coordinator, constellation)
        if let leaf = new.leaf {
            if target.leafSource == .link, let named = target.leaf, named != leaf { throw .anotherCertificate }
            target.demand(leaf)
        }
        if let remote = new.remote {
            if case .remote = target.place {
                throw PairingError(.notAllowed, "remote: this gateway is outside of this network already: leave it out")
            }
            target.remoteURL = remote
        }
        target.rights = new.isAdmin ? .admin : .member
        let setupCode = Mutex(code)
        let answer: @Sendable (PairingState) async -> PairingAnswer? = { state in
            // Its end is shown when everything is taken back.
            guard !state.isFinal else { return nil }
            if case .secretNeeded(let question) = state, question.kinds.contains(.setupCode),
                let code = setupCode.withLock({ $0.take() })
            {
                return .secret(SecretAnswer(.setupCode, code))
            }
            var leaves: Set<String>?
            if case .confirming(let offer) = state {
                leaves = await constellation.gateways.first { $0.id == offer.gatewayID }?.advertisedLeaves
            }
            return await conversation.enter(.pairing(state), advertisedLeaves: leaves)
        }
        do throws(PairingError) {
            return try await coordinator.pair(target, answer)
        } catch {
            guard case .invitation(.join) = new.gateway else { throw error }
            throw error.afterJoinURL
        }
    }

    private static func target(
        _ new: NewPairing,
        _ conversation: PairingConversation,
        _ coordinator: PairingCoordinator,
        _ constellation: Constellation
    ) async throws(PairingError) -> (PairingTarget, code: Secret?) {
        switch new.gateway {
        case .row(let id):
            guard let row = await constellation.gateways.first(where: { $0.id.description == id }) else {
                throw PairingError(.notFound, "expected the identifier of a gateway that is shown, found another")
            }
            guard let target = PairingTarget(row, leaf: new.leaf) else {
                let what = new.leaf == nil ? "one that has not answered" : "one that shows another certificate, or none"
                throw PairingError(.notAGateway, "expected a gateway that answers, found \(what). Nothing was sent")
            }
            return (target, nil)
        case .address(let address):
            let found = await HostAddresses.of(address.host, within: lookTimeout) ?? []
            guard let first = found.first else {
                throw PairingError(.notFound, "expected an address of \(address.host), found none")
            }
            var target = PairingTarget(address, addresses: found)
            // Gateways of OpenClaw tell no name, and an address says nothing to whoever reads it a month later.
            if target.name == nil { target.name = await SystemResolver.name(of: first, within: .seconds(1)) }
            return (target, nil)
        case .invitation(.link(let link)):
            return (PairingTarget(link), nil)
        case .invitation(.setupCode(let code)):
            return (try await self.target(of: code, new, coordinator), code.text)
        case .invitation(.join(let url)):
            guard case .confirm = await conversation.enter(.fetching(url)) else { throw .givenUp }
            _ = await conversation.enter(.finding)
            let code = try await coordinator.setupCode(behind: url)
            do throws(PairingError) {
                return (try await self.target(of: code, new, coordinator), code.text)
            } catch {
                throw error.afterJoinURL
            }
        }
    }

    private static func target(
        of code: SetupCode,
        _ new: NewPairing,
        _ coordinator: PairingCoordinator
    ) async throws(PairingError) -> PairingTarget {
        if let leaf = new.leaf, let pin = code.leaf, pin != leaf { throw .anotherCertificate }
        return try await coordinator.target(of: code)
    }
}

extension PairingError {
    fileprivate static let anotherCertificate = PairingError(
        .anotherGateway,
        "expected one certificate, found that the link or code names another one than leaf. Nothing was sent"
    )

    fileprivate static let givenUp = PairingError(.cancelled, "the pairing was given up")
}
