import Reports
import TestSupport
import Testing

@testable import Notices

/// What holds in every sequence of facts.
@Suite struct NoticeRulesPropertyTests {
    /// A random life of a few gateways, with all that can happen to them, this host and the agent; and what must be told
    /// of it.
    private struct Life {
        private var generator: SeededGenerator
        private var drive: RuleDrive
        private let policy: NoticePolicy
        private let keys: [String]

        /// What the gateways do: the beginning of the silence of each that does not answer.
        private var silences: [String: Timestamp] = [:]

        /// The outages that the history must have, of a life in which nothing else happens than that gateways go and come.
        private var expected: [String: [Span]] = [:]
        private let isPlain: Bool
        private var hasRestarted = false

        private struct Span: Hashable {
            let began: Timestamp
            var ended: Timestamp?
        }

        init(seed: UInt64) {
            isPlain = seed.isMultiple(of: 3)
            generator = SeededGenerator(seed: seed)
            var policy = NoticePolicy()
            policy.mostPerGateway = 1 + generator.draw(6)
            policy.most = 1 + generator.draw(12)
            if generator.draw(3) == 0 { policy.quietHours = QuietHours("12:30-13:00") }
            self.policy = policy
            keys = (0...generator.draw(4)).map { "g\($0)" }
            drive = RuleDrive(policy)
        }

        mutating func run() -> String? {
            for key in keys { drive.set(key, .answering) }
            for _ in 0..<30 {
                step()
                if generator.draw(4) == 0 { drive.pass(generator.draw(400)) } else { drive.wait(generator.draw(12)) }
            }
            return problem()
        }

        private mutating func step() {
            let key = keys[generator.draw(keys.count)]
            switch generator.draw(isPlain ? 10 : 16) {
            case 0...4:
                // A silence, which may be an outage.
                guard silences[key] == nil else { return }
                silences[key] = drive.time
                drive.set(key, .silent)
                drive.wait(generator.draw(6))
                guard generator.draw(4) > 0 else { return answer(key) }
                drive.set(key, .gone)
                expected[key, default: []].append(Span(began: silences[key] ?? drive.time))
            case 5...9: answer(key)
            case 10:
                let isThere = generator.draw(2) == 0
                for key in keys { drive.set(key, presence(key)) { $0.hasNetwork = isThere } }
            case 11:
                drive.set(key, presence(key)) { facts in
                    facts.ways = [.lanIPv4: true, .tailnet: generator.draw(2) == 0]
                }
            case 12:
                drive.set(key, presence(key)) { $0.troubles = generator.draw(2) == 0 ? [] : [.moved] }
            case 13: drive.muted = generator.draw(2) == 0 ? [] : [key]
            case 14:
                hasRestarted = true
                drive.restart(policy)
                for key in keys { drive.set(key, presence(key)) }
            default: drive.sleep(.seconds(generator.draw(4_000)))
            }
        }

        private func presence(_ key: String) -> GatewayFacts.Presence { silences[key] == nil ? .answering : .gone }

        private mutating func answer(_ key: String) {
            silences[key] = nil
            drive.set(key, .answering)
            guard let last = expected[key]?.indices.last, expected[key]?[last].ended == nil else { return }
            expected[key]?[last].ended = drive.time
        }

        // MARK: What must hold

        private func problem() -> String? {
            for key in keys {
                if let wrong = problem(of: key) { return "\(key): \(wrong); told \(drive.told)" }
            }
            let all = told.map(\.time)
            if let wrong = problem(all, most: policy.most) { return "all: \(wrong)" }
            return problemOfHistory()
        }

        private var told: [(notice: Notice, time: Timestamp)] {
            drive.actions.compactMap { action, time in
                if case .tell(let notice) = action { (notice, time) } else { nil }
            }
        }

        private func problem(of key: String) -> String? {
            var state = GatewayMemory.Told.up
            for (notice, time) in told where notice.subjects.contains(where: { $0.key == key }) {
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
            let own = told.filter { item in
                item.notice.kind != .cutOff && item.notice.kind != .reconnected
                    && item.notice.subjects.contains { $0.key == key }
            }
            return problem(own.map(\.time), most: policy.mostPerGateway)
        }

        private func problem(_ times: [Timestamp], most: Int) -> String? {
            // An agent that starts again begins to count anew.
            guard !hasRestarted else { return nil }
            for (index, time) in times.enumerated() where index >= most {
                let before = times[index - most]
                if time.milliseconds - before.milliseconds < 3_600_000 { return "more than \(most) until \(time)" }
            }
            return nil
        }

        /// Each outage is in the history once, with its true length, and ends with the next answer.
        private func problemOfHistory() -> String? {
            var open: [String: Timestamp] = [:]
            var found: [String: [Span]] = [:]
            for (action, time) in drive.actions {
                switch action {
                case .outageBegan(let subject, let at, _):
                    if open[subject.key] != nil { return "\(subject.key): two outages at \(time)" }
                    if at > time { return "\(subject.key): an outage in the future at \(time)" }
                    open[subject.key] = at
                    found[subject.key, default: []].append(Span(began: at))
                case .outageEnded(let key, let at):
                    guard let began = open.removeValue(forKey: key) else { return "\(key): an end alone at \(time)" }
                    if at < began { return "\(key): it ends before it begins, at \(time)" }
                    found[key]?.removeLast()
                    found[key]?.append(Span(began: began, ended: at))
                default: continue
                }
            }
            for key in open.keys where silences[key] == nil { return "\(key): an outage that lasts" }
            if isPlain, found != expected { return "expected the outages \(expected), found \(found)" }
            return nil
        }
    }

    @Test func everySequenceIsToldInOrder() {
        var generator = SeededGenerator.forFuzzing("rules of notices")
        let problem = TestCases.firstProblem(of: TestCases.count(5_000), &generator) { seed in
            var life = Life(seed: seed)
            return life.run().map { "seed \(seed): \($0)" }
        }
        #expect(problem == nil)
    }
}
