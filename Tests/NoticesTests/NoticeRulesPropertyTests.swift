import Reports
import TestSupport
import Testing

@testable import Agent

/// The properties that hold in every sequence of facts.
@Suite struct NoticeRulesPropertyTests {
    /// The number of sequences: `CLAWRADAR_NOTICES`, or as many as take a few seconds.
    static var count: Int { TestCases.number(of: "CLAWRADAR_NOTICES") ?? TestCases.count(4_000) }

    @Test func everySequenceIsToldInOrder() {
        var generator = SeededGenerator.forFuzzing("rules of notices")
        let problem = TestCases.firstProblem(of: Self.count, &generator) { seed in
            var life = NoticeLife(seed: seed)
            return life.run().map { "seed \(seed): \($0)" }
        }
        #expect(problem == nil)
    }
}

/// A random life of a few gateways, with all that can happen to them, this host and the agent; and what must be told of it.
private struct NoticeLife {
    /// A time in which a gateway does not answer.
    private struct Silence {
        let began: Timestamp
        var ended: Timestamp?

        /// The time at which the map calls it gone.
        var gone: Timestamp?

        /// Indicates whether something else has happened in it or shortly before, so that it can be judged later, or as
        /// something else.
        var isDisturbed: Bool
    }

    /// The time after a disturbance in which silences are not judged as they otherwise are, in milliseconds.
    private static let aftermath = 30_000

    private var generator: SeededGenerator
    private var drive: RuleDrive
    private let policy: NoticePolicy
    private let keys: [String]

    /// Indicates whether nothing is muted and there are no quiet hours, so that what may be told is told soon.
    private let isFree: Bool

    /// The gateways that are the user's own: nothing keeps back that they are gone or back. In some lives, there are no others.
    private let own: Set<String>

    /// The silences of the gateways, in their order.
    private var silences: [String: [Silence]] = [:]

    /// The last time at which a network, a sleep, a restart or other wishes came between.
    private var disturbed: [String: Timestamp] = [:]
    private var lacksNetwork = false
    private var dropped: Set<String> = []

    /// The times at which gateways were not watched any more.
    private var drops: [String: [Timestamp]] = [:]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        isFree = generator.draw(3) == 0
        var policy = NoticePolicy()
        policy.mostPerGateway = 1 + generator.draw(6)
        policy.most = 1 + generator.draw(12)
        if !isFree, generator.draw(3) == 0 { policy.quietHours = QuietHours("12:30-13:00") }
        self.policy = policy
        keys = (0...generator.draw(4)).map { "g\($0)" }
        var own = Set(keys)
        if generator.draw(2) == 0 { for key in keys where generator.draw(2) == 0 { own.remove(key) } }
        self.own = own
        drive = RuleDrive(policy)
    }

    mutating func run() -> String? {
        for key in keys { drive.set(key, .answering) { [own] facts in facts.isOwn = own.contains(key) } }
        for _ in 0..<20 {
            step()
            drive.rest(1 + (generator.draw(4) == 0 ? generator.draw(900) : generator.draw(12)))
        }
        guard isFree else { return problem() }
        // In the end all is as it is for long enough to be told.
        lacksNetwork = false
        for key in keys {
            disturb(key)
            if !dropped.contains(key) { show(key) }
        }
        drive.rest(700)
        return problem()
    }

    // MARK: What happens

    private mutating func step() {
        let key = keys[generator.draw(keys.count)]
        switch generator.draw(18) {
        case 0...4: beSilent(key)
        case 5...9: answer(key)
        case 10:
            lacksNetwork = generator.draw(2) == 0
            for key in keys { disturb(key) }
            for key in keys where !dropped.contains(key) { show(key) }
        case 11:
            guard isAnswering(key), !dropped.contains(key) else { return }
            let isThere = generator.draw(2) == 0
            show(key) { $0.ways = [.lanIPv4: true, .tailnet: isThere] }
        case 12:
            let all: [Set<Trouble>] = [[], [.moved], [.refused]]
            let troubles = all[generator.draw(all.count)]
            let isAccepted = troubles.isEmpty && generator.draw(2) == 0
            if !dropped.contains(key) {
                show(key) {
                    $0.troubles = troubles
                    $0.isAccepted = isAccepted
                }
            }
        case 13: if !isFree { drive.muted = generator.draw(2) == 0 ? [] : [key] }
        case 14:
            for key in keys { disturb(key) }
            drive.restart(policy)
            drive.rest(generator.draw(5))
            for key in keys where !dropped.contains(key) { show(key) }
        case 15:
            // The settings change, and change back.
            disturb(key)
            if dropped.remove(key) == nil {
                dropped.insert(key)
                drops[key, default: []].append(drive.time)
                drive.drop(key)
            } else {
                show(key)
            }
        case 16:
            // Nothing leads to it any more.
            guard !isAnswering(key), !dropped.contains(key) else { return }
            drive.set(key, .unknown)
        default:
            for key in keys { disturb(key) }
            drive.sleep(.seconds(generator.draw(4_000)))
            for key in keys { disturb(key) }
        }
    }

    private func isAnswering(_ key: String) -> Bool { silences[key]?.last.map { $0.ended != nil } ?? true }

    /// Gives the facts of a gateway.
    private mutating func show(_ key: String, _ change: (inout GatewayFacts) -> Void = { _ in }) {
        drive.set(key, isAnswering(key) ? .answering : .gone) { [lacksNetwork, own] facts in
            facts.hasNetwork = !lacksNetwork
            facts.isOwn = own.contains(key)
            change(&facts)
        }
    }

    private mutating func disturb(_ key: String) {
        disturbed[key] = drive.time
        if !isAnswering(key) { change(key) { $0.isDisturbed = true } }
    }

    /// Changes the last silence of a gateway.
    private mutating func change(_ key: String, _ change: (inout Silence) -> Void) {
        guard let last = silences[key]?.indices.last else { return }
        change(&silences[key, default: []][last])
    }

    /// Begins a silence, which may be short.
    private mutating func beSilent(_ key: String) {
        guard isAnswering(key), !dropped.contains(key) else { return }
        let isDisturbed =
            lacksNetwork
            || disturbed[key].map { drive.time.milliseconds - $0.milliseconds < Self.aftermath } ?? false
        silences[key, default: []].append(Silence(began: drive.time, isDisturbed: isDisturbed))
        drive.set(key, .silent)
        drive.rest(generator.draw(6))
        guard generator.draw(4) > 0 else { return answer(key) }
        change(key) { [time = drive.time] in $0.gone = time }
        drive.set(key, .gone)
    }

    private mutating func answer(_ key: String) {
        guard !dropped.contains(key) else { return }
        if !isAnswering(key) { change(key) { [time = drive.time] in $0.ended = time } }
        show(key)
    }

    // MARK: What must hold

    private func problem() -> String? {
        for key in keys {
            if let wrong = problemOfOrder(key) ?? problemOfHistory(key) {
                return "\(key): \(wrong); told \(drive.told)"
            }
        }
        // In all, that one of the user's own is gone or back is told whatever was told before, and counts all the same.
        let all = drive.actions.compactMap { action, time -> (Timestamp, isLimited: Bool)? in
            guard case .tell(let notice) = action else { return nil }
            return (time, !isPresence(notice) || !notice.subjects.allSatisfy { own.contains($0.key) })
        }
        return problem(all, most: policy.most).map { "all: \($0)" }
    }

    private func isPresence(_ notice: Notice) -> Bool {
        [.gone, .back, .unsteady, .settled].contains(notice.kind)
    }

    /// A return follows an absence, and an absence a return; and that it accepts this device again follows a refusal.
    private func problemOfOrder(_ key: String) -> String? {
        var state = GatewayMemory.Told.up
        var isRefused = false
        var times: [(Timestamp, isLimited: Bool)] = []
        for (action, time) in drive.actions {
            if case .forget(key) = action { (state, isRefused) = (.up, false) }
            guard case .tell(let notice) = action, notice.subjects.contains(where: { $0.key == key }),
                notice.kind != .cutOff, notice.kind != .reconnected
            else { continue }
            // That one of the user's own is gone or back does not count.
            if !isPresence(notice) || !own.contains(key) { times.append((time, isLimited: true)) }
            if notice.kind == .refused { isRefused = true }
            if notice.kind == .accepted || notice.kind == .back && notice.reason != nil {
                if !isRefused || notice.kind == .accepted && state == .down {
                    return "\(notice.kind) of acceptance at \(time) while told \(state), refused: \(isRefused)"
                }
                isRefused = false
            }
            switch (notice.kind, state) {
            case (.gone, .up): state = .down
            case (.back, .down): state = .up
            case (.unsteady, .up): state = .unsteady
            case (.settled, .unsteady): state = notice.isAnswering == true ? .up : .down
            case (.gone, _), (.back, _), (.unsteady, _), (.settled, _):
                return "\(notice.kind) at \(time) while told \(state)"
            default: continue
            }
        }
        if isFree, own.contains(key), let wrong = problemOfTime(key, state) { return wrong }
        // One that is watched anew begins anew.
        return problem(times, most: policy.mostPerGateway, resets: drops[key] ?? [])
    }

    /// Returns the problem where something that may be told is not told within a few seconds, or where the user does
    /// not know all in the end; `nil` if there is none.
    private func problemOfTime(_ key: String, _ last: GatewayMemory.Told) -> String? {
        // One that is watched anew in a silence has never answered.
        guard drops[key] == nil else { return nil }
        if last != (isAnswering(key) ? .up : .down) { return "in the end told \(last)" }
        for silence in silences[key] ?? [] {
            guard let gone = silence.gone, !silence.isDisturbed else { continue }
            let limit = gone.advanced(by: .seconds(5))
            guard silence.ended.map({ $0 > limit }) ?? true else { continue }
            if told(key, by: limit) == .up { return "not told within 5 s: \(silence)" }
        }
        return nil
    }

    /// Returns the state of a gateway that the user knows of at a time.
    private func told(_ key: String, by limit: Timestamp) -> GatewayMemory.Told {
        var state = GatewayMemory.Told.up
        for (action, time) in drive.actions where time <= limit {
            guard case .tell(let notice) = action, notice.subjects.contains(where: { $0.key == key }) else { continue }
            switch notice.kind {
            case .gone: state = .down
            case .back: state = .up
            case .unsteady: state = .unsteady
            case .settled: state = notice.isAnswering == true ? .up : .down
            default: continue
            }
        }
        return state
    }

    private func problem(
        _ times: [(time: Timestamp, isLimited: Bool)],
        most: Int,
        resets: [Timestamp] = []
    ) -> String? {
        for (index, (time, isLimited)) in times.enumerated() where index >= most && isLimited {
            let before = times[index - most].time
            // One that was not watched for a while begins anew. An agent that starts again does not.
            let isReset = resets.contains { before <= $0 && $0 <= time }
            if !isReset, time.milliseconds - before.milliseconds < 3_600_000 {
                return "more than \(most) within the hour until \(time)"
            }
        }
        return nil
    }

    /// Each outage is in the history once, with its true length, and ends with the next answer.
    private func problemOfHistory(_ key: String) -> String? {
        var found: [(began: Timestamp, ended: Timestamp?)] = []
        for (action, time) in drive.actions {
            switch action {
            case .outageBegan(let subject, let at, _, _) where subject.key == key:
                if let last = found.last, last.ended == nil { return "two outages at \(time)" }
                if at > time { return "an outage in the future at \(time)" }
                found.append((at, nil))
            case .outageEnded(key, let at):
                guard let last = found.last, last.ended == nil else { return "an end alone at \(time)" }
                if at < last.began { return "it ends before it begins, at \(time)" }
                found[found.count - 1].ended = at
            default: continue
            }
        }
        let all = silences[key] ?? []
        // Each lies in one silence, from its beginning on unless something came between, and up to its end.
        var used: Set<Int> = []
        for outage in found {
            let index = all.lastIndex { $0.began <= outage.began }
            guard let index, used.insert(index).inserted || all[index].isDisturbed else {
                return "an outage without a silence: \(outage)"
            }
            let silence = all[index]
            if !silence.isDisturbed, outage.began != silence.began { return "\(outage) begins late: \(silence)" }
            let isDropped = drops[key]?.contains { $0 == outage.ended } ?? false
            if outage.ended != silence.ended, !isDropped { return "\(outage) does not end with \(silence)" }
        }
        for (index, silence) in all.enumerated() where !silence.isDisturbed && silence.gone != nil {
            if !used.contains(index) { return "not in the history: \(silence)" }
        }
        return nil
    }
}
