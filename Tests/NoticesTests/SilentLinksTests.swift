import Testing

@testable import Agent

/// Where all gateways of a link fall silent at once, and its neighbours do too, or packets leave by another link, it is this
/// host: none of the gateways is told of as gone.
@Suite struct SilentLinksTests {
    private var links = SilentLinks()
    private var now = ContinuousClock.now
    private var facts: [String: GatewayFacts] = [:]
    private var places: [String: SilentLinks.Place] = [:]
    private var neighbours: [String: SilentLinks.Neighbours] = [:]
    private let eth0 = SilentLinks.Place(link: "eth0", isOnLink: true)

    private mutating func set(_ presence: GatewayFacts.Presence, _ keys: String...) {
        for key in keys { facts[key] = GatewayFacts(Notice.Subject(key: key, name: key), presence) }
    }

    /// Returns those that are silent because of this host, with the reasons.
    private mutating func cutOff(after seconds: Int = 1) -> [String: String] {
        now += .seconds(seconds)
        let all = facts.values.sorted { $0.subject.key < $1.subject.key }
        let judged = links.judge(all, places: places, at: now) { _, _ in neighbours }
        let cut = judged.filter { !$0.hasNetwork }.map { ($0.subject.key, $0.networkTrouble ?? "") }
        return Dictionary(uniqueKeysWithValues: cut)
    }

    /// Three gateways on one link, and one on another.
    private mutating func begin() {
        places = ["a": eth0, "b": eth0, "c": eth0, "d": SilentLinks.Place(link: "eth1", isOnLink: true)]
        neighbours = ["eth0": .answering, "eth1": .answering]
        set(.answering, "a", "b", "c", "d")
        #expect(cutOff().isEmpty && links.links == ["eth0", "eth1"] && links.silentLinks.isEmpty)
    }

    /// The neighbours of a link are asked with the first answer of a gateway there, and again with the first silence: nothing
    /// may change for minutes afterwards, so that nobody would look again.
    @Test mutating func neighboursAreAskedWithTheAnswerItself() {
        func asked() -> [Set<String>] {
            var asked: [Set<String>] = []
            _ = links.judge(Array(facts.values), places: places, at: now) { links, silent in
                asked = [links, silent]
                return [:]
            }
            return asked
        }
        places["a"] = eth0
        set(.answering, "a")
        #expect(asked() == [["eth0"], []])
        set(.silent, "a")
        #expect(asked() == [["eth0"], ["eth0"]])
    }

    /// While a router is asked, a gateway that has missed its last check is not told of as gone: the answer may say that it is
    /// this host.
    @Test mutating func nobodyIsGoneWhileTheRouterIsAsked() {
        begin()
        func presences() -> [String: GatewayFacts.Presence] {
            let all = links.judge(Array(facts.values), places: places, at: now) { _, _ in neighbours }
            return Dictionary(uniqueKeysWithValues: all.map { ($0.subject.key, $0.presence) })
        }
        set(.gone, "a", "b", "c")
        neighbours["eth0"] = .asked
        #expect(presences() == ["a": .silent, "b": .silent, "c": .silent, "d": .answering])
        neighbours["eth0"] = .answering
        #expect(presences()["a"] == .gone)
    }

    @Test mutating func aFirewallOfThisHostIsNoDeath() {
        begin()
        set(.silent, "a", "b")
        #expect(cutOff().isEmpty && links.silentLinks.isEmpty)
        set(.silent, "c")
        #expect(cutOff().isEmpty && links.silentLinks == ["eth0"])
        neighbours["eth0"] = .silent
        let found = cutOff()
        #expect(found.keys.sorted() == ["a", "b", "c"] && found["a"]?.contains("eth0") == true, "\(found)")
        set(.gone, "a", "b", "c")
        #expect(cutOff(after: 600).count == 3)
        // One that answers says that it was not this host, or is it no more.
        set(.answering, "a")
        #expect(cutOff().isEmpty)
    }

    /// The router answers: the gateways are dead, together as they may be.
    @Test mutating func gatewaysThatDieTogetherAreGone() {
        begin()
        set(.gone, "a", "b", "c")
        #expect(cutOff().isEmpty && cutOff(after: 60).isEmpty)
    }

    /// Neighbours that have never answered say nothing by their silence.
    @Test mutating func withoutANeighbourNothingIsKnown() {
        begin()
        neighbours = [:]
        set(.gone, "a", "b", "c")
        #expect(cutOff().isEmpty)
    }

    /// One that died long before the others was not lost with the link, and hides no loss.
    @Test mutating func oneThatDiedBeforeIsGone() {
        begin()
        set(.gone, "a")
        #expect(cutOff().isEmpty)
        set(.silent, "b", "c")
        neighbours["eth0"] = .silent
        #expect(cutOff(after: 60).keys.sorted() == ["b", "c"])
    }

    @Test mutating func aVPNThatTakesTheRoutesIsNoDeath() {
        begin()
        for key in ["a", "b", "c"] { places[key] = SilentLinks.Place(link: "tun0", isOnLink: false) }
        // They are reached through it.
        #expect(cutOff().isEmpty)
        begin()
        for key in ["a", "b", "c"] { places[key] = SilentLinks.Place(link: "tun0", isOnLink: false) }
        set(.silent, "a", "b", "c")
        let found = cutOff()
        #expect(found.count == 3 && found["b"]?.contains("tun0") == true, "\(found)")
        for key in ["a", "b", "c"] { places[key] = eth0 }
        #expect(cutOff().isEmpty)
    }

    /// What has never answered is not known to be on the link.
    @Test mutating func whatNeverAnsweredHoldsUpNothing() {
        begin()
        set(.gone, "e")
        places["e"] = eth0
        set(.silent, "a", "b", "c")
        neighbours["eth0"] = .silent
        #expect(cutOff().keys.sorted() == ["a", "b", "c"])
    }

    /// The message says what it is.
    @Test func theReasonIsTold() {
        var drive = RuleDrive()
        for key in ["a", "b"] { drive.set(key, .answering) }
        drive.wait(1)
        for key in ["a", "b"] {
            drive.set(key, .silent) {
                $0.hasNetwork = false
                $0.networkTrouble = "nothing else on eth0 answers either"
            }
        }
        drive.wait(60)
        #expect(drive.told == ["cut-off a,b"])
        #expect(drive.notices.first?.reason == "nothing else on eth0 answers either")
    }
}
