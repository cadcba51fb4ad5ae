internal import DNSSD
internal import Discovery
internal import Logging
internal import Reports
internal import Synchronization

/// Runs the parts of an agent, each again and again, and knows their states.
final class PartKeeper: Sendable {
    private let clock: any MonotonicClock
    private let logger: Logger?
    private let runs = Mutex<[(name: String, runs: PartRuns)]>([])

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

    /// Runs the parts until the task is cancelled.
    func run(_ parts: [AgentPart]) async {
        runs.withLock { $0 = parts.map { ($0.name, PartRuns(at: .now)) } }
        publish()
        await withDiscardingTaskGroup { group in
            for (index, part) in parts.enumerated() { group.addTask { await self.keep(part, at: index) } }
        }
        latest.finish()
    }

    private func keep(_ part: AgentPart, at index: Int) async {
        while !Task.isCancelled {
            change(index) { $0.begin(now: clock.now, at: .now) }
            var reason = "it has ended by itself"
            do {
                try await part.run(PartReporter { trouble in self.report(trouble, of: index) })
            } catch {
                reason = "\(error)"
            }
            guard !Task.isCancelled else { break }
            let pause = change(index) { $0.end(reason: reason, now: clock.now, at: .now) }
            logger?.warning("\(part.name): \(reason). It runs again in \(pause.components.seconds) s.")
            guard (try? await clock.sleep(for: pause)) != nil else { break }
        }
        change(index) { $0.stop(at: .now) }
    }

    private func report(_ trouble: String?, of index: Int) {
        let before = states[index].state
        change(index) { $0.report(trouble: trouble, at: .now) }
        let after = states[index]
        guard after.state != before else { return }
        if let reason = after.state.reason {
            logger?.warning("\(after.name): \(reason)")
        } else {
            logger?.info("\(after.name): \(after.state.word.rawValue)")
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ index: Int, _ body: (inout PartRuns) -> Value) -> Value {
        let value = runs.withLock { body(&$0[index].runs) }
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
    public let state: PartState

    /// The number of times that the part has ended while it should run.
    public let ends: Int
}
