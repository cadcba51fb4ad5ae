import Testing

@testable import Agent

/// What is well written in the settings and leads nowhere is said.
@Suite struct NotifyDoubtsTests {
    /// A mistyped name is said once gateways had their time to be found, and no more when a gateway has had it.
    @Test func aNameThatNoGatewayHasIsSaid() {
        let start = ContinuousClock.now
        var settings = NoticeSettings()
        settings.policy.watched = .named(["Hme Gateway", "Attic"])
        var doubts = NotifyDoubts()
        var known: Set<String> = ["Home Gateway"]
        #expect(doubts.look(settings, at: start) { known } == nil)
        #expect(doubts.pace != nil)
        known.insert("Attic")
        let text = doubts.look(settings, at: start + NotifyDoubts.timeout) { known }
        #expect(text == "notify: watch: no gateway that is known so far is called “Hme Gateway”")
        // Once seen, it is known, also when it is gone.
        known = ["Hme Gateway"]
        #expect(doubts.look(settings, at: start + NotifyDoubts.timeout * 2) { known } == nil)
        #expect(doubts.pace == nil)
        settings.policy.watched = .own
        #expect(doubts.look(settings, at: start + NotifyDoubts.timeout * 3) { [] } == nil)
    }

    /// A program that is not there is said at once, and looked for until it is.
    @Test func aFileThatIsNotThereIsSaid() {
        var settings = NoticeSettings()
        settings.sinks = [NoticeSink(name: "a", channel: .exec(["/nowhere/tell"]))]
        var doubts = NotifyDoubts()
        let text = doubts.look(settings, at: .now) { [] }
        #expect(text == "notify: sink a, exec: expected the file /nowhere/tell, found none")
        #expect(doubts.pace != nil)
    }
}
