import Agent
import GatewayProtocol
import Pairing
import Reports
import Scanning
import TestSupport
import Testing

@testable import Commands

/// There is one word for each state, in tables, JSON, messages and docs.
@Suite struct OneWordTests {
    private static func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> [String] {
        Word.allCases.map(\.rawValue)
    }

    private static let states = words(PairedState.self) + words(BotState.self) + words(ShownSession.State.self)

    private static let all =
        states + words(Liveness.self) + words(GatewayFlag.self) + words(Cause.self) + words(Notice.Kind.self)

    @Test func noWordHasTwoSpellings() {
        let spellings = Dictionary(grouping: Set(Self.all)) { $0.lowercased().filter(\.isLetter) }
        #expect(spellings.values.filter { $0.count > 1 } == [])
    }

    /// A gateway that does not answer is `gone`, and one with another certificate has `changed-certificate`, in every view.
    @Test func eachViewHasTheSameWord() {
        #expect(Set(Self.all).isDisjoint(with: ["away", "down", "changed-leaf", "changedLeaf"]))
        #expect(!Self.words(BotState.self).contains("disconnected"))
        for words in [Self.words(PairedState.self), Self.words(BotState.self), Self.words(ShownSession.State.self)] {
            #expect(words.contains("gone") && words.contains("changed-certificate"))
        }
        #expect(Liveness.gone.rawValue == "gone" && Notice.Kind.gone.rawValue == "gone")
        #expect(GatewayFlag.changedLeaf.rawValue == Notice.Kind.changedCertificate.rawValue)
        #expect(Cause.changedLeaf.rawValue == Notice.Kind.changedCertificate.rawValue)
    }

    @Test func theGuideOfStatesHasThemAll() throws {
        let guide = try DocumentedCommand.text("docs/pairing.md")
        // Of bots that are not paired, or are just being paired.
        let others: Set = ["discovered", "pairing", "error"]
        #expect(Set(Self.states).subtracting(others).filter { !guide.contains("`\($0)`") } == [])
    }

    @Test func theGuideOfMessagesHasEachKind() throws {
        let guide = try DocumentedCommand.text("docs/be-told.md")
        // `notify test` tells of nothing that has happened.
        let kinds = Notice.Kind.allCases.filter { $0 != .test }.map(\.rawValue)
        #expect(kinds.filter { !guide.contains("`\($0)`") } == [])
    }

    @Test(arguments: ["README.md", "docs/json.md", "docs/gateways.md"])
    func guidesHaveEachDialect(file: String) throws {
        let guide = try DocumentedCommand.text(file)
        #expect(Self.words(GatewayDialect.self).filter { !guide.contains("`\($0)`") } == [])
    }

    /// Recordings, and processes of an older version, have the words of before.
    @Test func theWordsOfBeforeAreRead() {
        #expect(PairedState(rawValue: "away") == .gone && PairedState(rawValue: "changed-leaf") == .changedLeaf)
        #expect(
            BotState(rawValue: "disconnected") == .disconnected && BotState(rawValue: "changed-leaf") == .changedLeaf
        )
        #expect(ShownSession.State(rawValue: "disconnected") == .disconnected)
        #expect(ShownSession.State(rawValue: "changed-leaf") == .changedLeaf)
        #expect(GatewayFlag(rawValue: "changedLeaf") == .changedLeaf)
        #expect(PairedState(rawValue: "nothing") == nil && GatewayFlag(rawValue: "") == nil)
        for state in PairedState.allCases { #expect(PairedState(rawValue: state.rawValue) == state) }
        for state in BotState.allCases { #expect(BotState(rawValue: state.rawValue) == state) }
    }

    /// Whoever reads version 1 of the JSON has its names and its words beside those of version 2.
    @Test func theJSONHasTheNamesOfBeforeToo() {
        let fields: [String: JSONValue] = ["time": "now", "gatewayName": "Home", "pairing": "1", "state": "gone"]
        let whole = fields.with(.at).with(.name).with(.key).with(.formerState, words: FormerWords.ofGateways)
        #expect(fields.allSatisfy { whole[$0.key] == $0.value })
        #expect(whole["at"] == "now" && whole["name"] == "Home" && whole["key"] == "1")
        #expect(whole["formerState"] == "away")
        let session = fields.with(.formerState, words: FormerWords.ofSessions)
        #expect(session["formerState"] == "disconnected")
        let ready: [String: JSONValue] = ["state": "connected"]
        #expect(ready.with(.formerState, words: FormerWords.ofSessions)["formerState"] == "connected")
    }

    /// No document has a name of before alone: it would end with version 3.
    @Test func eachNameOfBeforeStandsBesideTheNew() throws {
        let guide = try DocumentedCommand.text("docs/json.md")
        for name in FormerName.allCases {
            #expect(guide.contains("`\(name.rawValue)`") && guide.contains("`\(name.name)`"), "\(name)")
        }
    }
}
