import Reports
import Testing

@testable import Agent

/// When a user is told of gateways that are new on the local network.
@Suite struct NewGatewaysTests {
    private var rule = NewGateways(known: ["old"])
    private var policy = NoticePolicy()
    private var rules = NoticeRules(NoticePolicy(), at: .now)
    private var instant = ContinuousClock.now
    private var told: [[String]] = []
    private var learned: [String] = []
    private var formerKeys: [String: [String]] = [:]

    init() { policy.tellsNewGateways = true }

    private mutating func look(_ keys: String..., seconds: Int = 1, minuteOfDay: Int = 720) {
        look(keys, seconds: seconds, minuteOfDay: minuteOfDay)
    }

    private mutating func look(_ keys: [String], seconds: Int = 1, minuteOfDay: Int = 720) {
        for _ in 0..<seconds {
            instant += .seconds(1)
            let moment = Moment(instant: instant, time: .now, minuteOfDay: minuteOfDay)
            let found = keys.map { Notice.Subject(key: $0, name: $0) }
            let allowed = { rules.countOne(at: moment) }
            for action in rule.take(found, formerKeys: formerKeys, policy, at: moment, isAllowed: allowed) {
                switch action {
                case .tell(let notice):
                    #expect(notice.kind == .newGateway)
                    told.append(notice.subjects.map(\.key).sorted())
                case .learn(let keys): learned += keys
                default: Issue.record("\(action)")
                }
            }
        }
    }

    @Test mutating func oneThatStaysIsToldOnce() {
        look("old", "new", seconds: 9)
        #expect(told.isEmpty && rule.isWaiting)
        look("old", "new", seconds: 60)
        #expect(told == [["new"]] && learned == ["new"] && !rule.isWaiting)
        look("old", seconds: 60)
        look("old", "new", seconds: 60)
        #expect(told.count == 1)
        rule = NewGateways(known: ["old"] + learned)
        look("new", seconds: 60)
        #expect(told.count == 1)
    }

    @Test mutating func oneThatIsThereForAMomentIsNotTold() {
        for _ in 0..<10 {
            look("a", seconds: 8)
            look(seconds: 8)
        }
        #expect(told.isEmpty)
    }

    /// One that was renamed while no agent ran is not new, and is known by its new name from then on.
    @Test mutating func oneThatWasRenamedIsNotNew() {
        formerKeys = ["old (2)": ["old"], "other (2)": ["other"]]
        look("old (2)", "other (2)", seconds: 60)
        #expect(told == [["other (2)"]] && learned == ["old (2)", "other (2)"])
    }

    /// Where none is known, those of the first minute are; and without the wish, nothing is told or learned.
    @Test mutating func theFirstLookIsNoNews() {
        rule = NewGateways(known: [])
        policy.tellsNewGateways = false
        look("a", "b", seconds: 100)
        #expect(told.isEmpty && learned.isEmpty)
        policy.tellsNewGateways = true
        look("a", "b", seconds: 100)
        #expect(told.isEmpty && Set(learned) == ["a", "b"])
        look("a", "b", "c", seconds: 20)
        #expect(told == [["c"]])
    }

    /// A paired gateway is known, so that it is not new once it is unpaired.
    @Test mutating func onePairedIsKnown() {
        let moment = Moment(instant: instant, time: .now, minuteOfDay: 720)
        #expect(rule.take([], paired: ["home"], policy, at: moment, isAllowed: { true }) == [.learn(keys: ["home"])])
        #expect(rule.take([], paired: ["home"], policy, at: moment, isAllowed: { true }).isEmpty)
        look("home", seconds: 60)
        #expect(told.isEmpty)
    }

    /// Messages about new gateways are within the limit of all messages, and use it up for none but those that follow.
    @Test mutating func theLimitOfAllMessagesHolds() {
        rules.policy.most = 2
        for round in 1...4 { look((1...round).map { "new \($0)" }, seconds: 20) }
        #expect(told == [["new 1"], ["new 2"]])
        let isAllowed = rules.countOne(at: Moment(instant: instant, time: .now, minuteOfDay: 720))
        #expect(!isAllowed)
        // What was not allowed is told later.
        look((1...4).map { "new \($0)" }, seconds: 3_600)
        #expect(told.last == ["new 3", "new 4"])
    }

    /// A flood of forged gateways is a few messages; and in quiet hours nothing is told, and not forgotten.
    @Test mutating func aFloodIsFewMessages() {
        for round in 0..<600 { look([0, 1].map { "forged \(round / 15)-\($0)" }) }
        #expect((1...policy.mostPerGateway).contains(told.count), "\(told.count)")
        rule = NewGateways(known: ["old"])
        told = []
        policy.quietHours = QuietHours("22:00-07:00")
        look("a", "b", seconds: 60, minuteOfDay: 60)
        #expect(told.isEmpty)
        look("a", "b", seconds: 5)
        #expect(told == [["a", "b"]])
        look((0..<10_000).map { "x\($0)" }, seconds: 20)
        #expect(told.count == 2)
    }
}
