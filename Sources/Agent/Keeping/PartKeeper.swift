internal import DNSSD
internal import Discovery
internal import Logging
internal import Reports
internal import Synchronization

/// Runs the parts of an agent, each again and again, and knows their states.
final class PartKeeper: Sendable {
    /// A part with its runs.
    private struct Kept: Sendable {
        let name: String
        var runs: PartRuns
    }

    private let clock: any MonotonicClock
    private let logger: Logger?
    private let runs = Mutex<[Kept]>([])

    /// The states of the parts, which change.
    private let latest = Broadcast<[AgentPartState]>([])

    init(clock: any MonotonicClock = ContinuousClock(), logger: Logger?) {
        self.clock = clock
        self.logger = logger
    }

    /// The states of the parts, in the order in which these were given.
    var states: [AgentPartState] { latest.value }

    /// The states of the parts, now and whenever one has changed. A slow reader gets the latest ones.
    var changes: some AsyncSequence<[AgentPartState], Never> & Sendable { latest.stream(limit: 1) }

    /// Runs parts until the task is cancelled.
    ///
    /// - Parameters:
    ///   - parts: The parts that run all the time.
    ///   - lists: The keys of further parts. Whatever is not in the latest list ends.
    ///   - make: Makes the part with a key.
    func run<Key: Hashable & Sendable>(
        _ parts: [AgentPart],
        and lists: some AsyncSequence<[Key], Never> & Sendable,
        make: @escaping @Sendable (Key) -> AgentPart
    ) async {
        for part in parts { enter(part) }
        await withDiscardingTaskGroup { group in
            for part in parts { group.addTask { await self.keep(part) } }
            group.addTask { await self.keep(lists, make) }
        }
        latest.finish()
    }

    /// Keeps parts that come and go.
    private func keep<Key: Hashable & Sendable>(
        _ lists: some AsyncSequence<[Key], Never> & Sendable,
        _ make: @Sendable (Key) -> AgentPart
    ) async {
        var running: [Key: (part: AgentPart, task: Task<Void, Never>)] = [:]
        for await list in lists {
            for (key, former) in running where !list.contains(key) {
                former.task.cancel()
                // Its successor may have its name, and publish the same service.
                await former.task.value
                running[key] = nil
                leave(former.part)
            }
            for key in list where running[key] == nil && !Task.isCancelled {
                let part = make(key)
                enter(part)
                running[key] = (part, Task { await self.keep(part) })
            }
        }
        for (_, task) in running.values { task.cancel() }
        for (_, task) in running.values { await task.value }
    }

    private func keep(_ part: AgentPart) async {
        while !Task.isCancelled {
            change(part) { $0.begin(now: clock.now, at: .now) }
            var reason = "it has ended by itself"
            do {
                try await part.run(PartReporter { trouble in self.report(trouble, of: part) })
            } catch {
                // Errors are sentences, and a reason is a part of one.
                reason = "\(error)"
                if reason.hasSuffix(".") { reason.removeLast() }
            }
            guard !Task.isCancelled,
                let pause = change(part, { $0.end(reason: reason, now: clock.now, at: .now) })
            else { break }
            logger?.warning("\(part.name): \(reason). It runs again in \(pause.components.seconds) s.")
            guard (try? await clock.sleep(for: pause)) != nil else { break }
        }
        change(part) { $0.stop(at: .now) }
    }

    private func report(_ trouble: String?, of part: AgentPart) {
        let before = state(of: part)
        change(part) { $0.report(trouble: trouble, at: .now) }
        guard let after = state(of: part), after != before else { return }
        if let reason = after.reason {
            logger?.log(level: reason == PartReporter.waitsForStore ? .info : .warning, "\(part.name): \(reason)")
        } else {
            logger?.info("\(part.name): \(after.word.rawValue)")
        }
    }

    private func state(of part: AgentPart) -> PartState? { states.first { $0.name == part.name }?.state }

    // MARK: Runs

    private func enter(_ part: AgentPart) {
        runs.withLock { $0.append(Kept(name: part.name, runs: PartRuns(at: .now))) }
        publish()
    }

    private func leave(_ part: AgentPart) {
        runs.withLock { $0.removeAll { $0.name == part.name } }
        publish()
    }

    /// Changes the runs of a part.
    ///
    /// - Returns: The result of the closure; `nil` if the part is not kept.
    @discardableResult
    private func change<Value: Sendable>(_ part: AgentPart, _ body: (inout PartRuns) -> Value) -> Value? {
        let value: Value? = runs.withLock { runs in
            guard let index = runs.firstIndex(where: { $0.name == part.name }) else { return nil }
            return body(&runs[index].runs)
        }
        publish()
        return value
    }

    private func publish() {
        // Under the lock, so that the latest states are those that were made last.
        runs.withLock { runs in
            let states = runs.map { AgentPartState(name: $0.name, state: $0.runs.state, ends: $0.runs.ends) }
            if states != latest.value { latest.send(states) }
        }
    }
}

/// The state of a part of an ``Agent``, with its name.
public struct AgentPartState: Hashable, Sendable {
    /// The name of the part.
    public let name: String

    /// The state of the part.
    package let state: PartState

    /// The number of times that the part has ended while it should run.
    package let ends: Int

    /// Indicates whether the part works, if not in full.
    public var isWorking: Bool { state.isWorking }

    /// The reason why it does not work, or not in full, for people; `nil` if there is nothing to explain. It is not cleaned.
    public var reason: String? { state.reason }
}
