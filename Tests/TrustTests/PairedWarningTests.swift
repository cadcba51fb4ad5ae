import GatewayProtocol
import Testing

/// The warning that a paired gateway is not as it was, by the answers on its paths and where it was last.
@Suite struct PairedWarningTests {
    private static let leaf = LeafFingerprint(bytes: Array(repeating: 2, count: 32))

    private func warning(
        _ answers: [SeenAnswer],
        home: PairedWarning.Home? = nil,
        isHomeToBeAsked: Bool = false,
        isClaimed: Bool = false
    ) -> PairedWarning? {
        PairedWarning.of(answers, home: home, isHomeToBeAsked: isHomeToBeAsked, isClaimed: isClaimed)
    }

    /// An answer is taken for the gateway's by the verdict or, against that, by a proof that lasts; the pinned certificate is
    /// none where another one is shown by now.
    @Test func anAnswerIsAcceptedByVerdictOrProof() throws {
        let changed = PathVerdict.changedLeaf(found: try #require(Self.leaf))
        let cases: [(PathVerdict, none: Bool, pin: Bool, other: Bool)] = [
            (.own, true, true, true), (.possible, false, true, true), (.unproved, false, true, true),
            (.moved(.address), false, true, true), (.refused, false, true, true), (changed, false, false, true),
        ]
        for (verdict, none, pin, other) in cases {
            for (proof, isAccepted) in [(SeenAnswer.Proof.none, none), (.pinnedLeaf, pin), (.other, other)] {
                #expect(SeenAnswer(verdict, proof, .answering, at: 1).isAccepted == isAccepted, "\(verdict) \(proof)")
                #expect(!SeenAnswer(verdict, proof, .answering, at: 1, contradicts: true).isAccepted)
            }
        }
        // Where any place of the network will do, another one has a warning of its own.
        #expect(SeenAnswer(.possible, .none, .answering, at: 1, isElsewhere: true).isAccepted)
    }

    /// While the gateway answers, nothing is said of anybody else.
    @Test func whileItAnswersThereIsNoWarning() {
        let (own, foreign) = (
            SeenAnswer(.own, .none, .answering, at: 1), SeenAnswer(.refused, .none, .answering, at: 9)
        )
        let home = PairedWarning.Home(.moved(.gateway), isAnotherGateway: true, at: 9)
        #expect(warning([own, foreign], home: home, isClaimed: true) == nil)
        // It has just stopped, and others have answered since.
        #expect(warning([SeenAnswer(.own, .none, .alive, at: 1), foreign]) == .moved)
        #expect(warning([SeenAnswer(.own, .none, .gone, at: 1), foreign]) == .moved)
        #expect(warning([SeenAnswer(.own, .none, .gone, at: 9), foreign]) == nil, "it answered before that")
    }

    /// What answers where it was last explains most; before that was asked, it is too early to say.
    @Test func whatIsInItsPlaceIsSaid() throws {
        let changed = PathVerdict.changedLeaf(found: try #require(Self.leaf))
        let gone = SeenAnswer(.own, .none, .gone, at: 5)
        let cases: [(PathVerdict, isAnother: Bool, at: UInt64, PairedWarning?)] = [
            (changed, false, 6, .changedLeaf), (changed, false, 5, nil), (.moved(.gateway), true, 6, .moved),
            (.unproved, true, 6, .moved), (.moved(.gateway), false, 6, nil), (.own, true, 6, nil),
            (.refused, true, 6, nil),
        ]
        for (verdict, isAnother, time, found) in cases {
            let home = PairedWarning.Home(verdict, isAnotherGateway: isAnother, at: time)
            #expect(warning([gone], home: home) == found, "\(verdict)")
        }
        let foreign = SeenAnswer(.unproved, .none, .answering, at: 6)
        #expect(warning([gone, foreign], isHomeToBeAsked: true) == nil && warning([gone, foreign]) == .moved)
        let named = SeenAnswer(.unproved, .none, .answering, at: 6, isNamedOtherwise: true)
        #expect(warning([gone, named]) == nil, "by another name it says nothing")
    }

    /// Others that claim to be it count once it is silent on all paths.
    @Test func aClaimCountsOnceItIsSilent() {
        #expect(warning([], isClaimed: true) == .moved && warning([]) == nil)
        #expect(warning([SeenAnswer(.own, .none, .gone, at: 1)], isClaimed: true) == .moved)
        #expect(warning([SeenAnswer(.own, .none, .alive, at: 1)], isClaimed: true) == nil)
    }

    /// A gateway is there by an answer at its place, whatever network leads there, and not by another one in its place.
    @Test func anAnswerSaysOfPresence() throws {
        let moves: Set<MoveReason> = [.prefix, .router, .unknownNetwork, .tunnel]
        for reason in MoveReason.allCases {
            let verdict = PathVerdict.moved(reason)
            #expect(verdict.saysOfPresence(.address, isOneMachine: false) == moves.contains(reason), "\(reason)")
            let isThere = moves.contains(reason) || reason == .address
            #expect(verdict.saysOfPresence(.address, isOneMachine: true) == isThere, "\(reason)")
        }
        for (verdict, isThere) in [(PathVerdict.own, true), (.possible, true), (.refused, false)] {
            #expect(verdict.saysOfPresence(.certificate, isOneMachine: false) == isThere)
        }
        #expect(PathVerdict.unproved.saysOfPresence(.address, isOneMachine: false))
        #expect(!PathVerdict.unproved.saysOfPresence(.certificate, isOneMachine: true))
        #expect(!PathVerdict.changedLeaf(found: try #require(Self.leaf)).saysOfPresence(.address, isOneMachine: true))
    }
}
