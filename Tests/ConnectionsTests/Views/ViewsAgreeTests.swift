import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// The words by which the views show paired gateways, in random sequences: those of `status`, `bots`, `scan` and
/// `watch`, which are those of the map, and that of `connect`, which is what its session makes of the paths that it is
/// offered.
@Suite struct ViewsAgreeTests {
    /// The number of sequences: `CLAWRADAR_VIEWS`, or as many as take a few seconds.
    static var count: Int { TestCases.number(of: "CLAWRADAR_VIEWS") ?? TestCases.count(2_000) }

    @Test func allViewsShowTheSame() {
        var seeds = SeededGenerator.forFuzzing("views")
        let fault = TestCases.firstProblem(of: Self.count, &seeds) { Self.fault(seed: $0) }
        #expect(fault == nil)
    }

    /// Runs one sequence.
    ///
    /// - Returns: The first disagreement, with what led to it; `nil` if there is none.
    static func fault(seed: UInt64) -> String? {
        var world = PairedWorld(seed: seed)
        var story: [String] = []
        for number in 0..<24 {
            story.append(world.step())
            if let fault = disagreement(in: world) { return text(seed, story, fault, world) }
            guard number % 6 == 5 else { continue }
            world.settle()
            story.append("all is asked")
            if let fault = disagreement(in: world) ?? untruth(in: world) { return text(seed, story, fault, world) }
        }
        return nil
    }

    private static func text(_ seed: UInt64, _ story: [String], _ fault: String, _ world: PairedWorld) -> String {
        let things = world.things.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let rows = world.map.gateways.map { row in
            let paths = row.paths.map { "\($0.endpoint) \($0.liveness.map { "\($0)" } ?? "-") \($0.proof)" }
            return "\(row.id) \(row.isPaired ? "paired " : "")\(row.flags.sorted()) \(paths)"
        }
        let cases = world.cases.map { "\($0.trust) \($0.places) \($0.itself)" }
        return (["seed \(seed)", fault] + cases + story + things + rows).joined(separator: "\n")
    }

    // MARK: Agreement

    /// The words that the map alone knows, of which a session may have noted an older one.
    private static let ofMap: Set<PairedState> = [.paired, .gone]

    /// Returns what one view shows otherwise than another at this very moment.
    private static func disagreement(in world: PairedWorld) -> String? {
        for chosen in world.cases {
            let row = world.row(of: chosen)
            guard let row, row.isPaired else { return "\(chosen.places) has no row" }
            let word = PairedState(row)
            let offer = world.offer(chosen)
            let sought = offer.word(row)
            // Until its own place was asked, nobody knows whether what answers elsewhere is another one.
            let isToBeTried = !world.probed.contains(chosen.places[0])
            if sought != word, !(isToBeTried && ofMap.isSuperset(of: [sought, word])) {
                return "\(chosen.places) is \(word) in the map, and \(sought) in connect: \(offer)"
            }
            // What a session has noted may be older than what the map shows.
            let status = status(of: chosen, row, in: world)
            if status == .gone, word != .gone { return "\(chosen.places) is \(word) in bots, and \(status) in status" }
            // What only a session knows is the same word in all of them, at once.
            let shown = PairedState(row, bot: row.bots.first(where: \.isPaired)?.state)
            if status != shown, !ofMap.isSuperset(of: [status, shown]) {
                return "\(chosen.places) is \(shown) in bots, and \(status) in status"
            }
        }
        let rows = world.map.gateways.filter(\.isPaired).map(\.id)
        if Set(rows).count != world.cases.count { return "\(rows.count) rows are paired" }
        return nil
    }

    /// Returns what `status` shows, which reads what the process has noted that has the session.
    private static func status(of chosen: PairedCase, _ row: Gateway, in world: PairedWorld) -> PairedState {
        let sessions = world.session(of: chosen).map { session in
            HeldSession(
                holder: LockHolder(process: 1, program: "clawradar"),
                note: SessionNote(state: session.paired.rawValue, since: 0)
            )
        }
        return PairedStatus(world.stored(chosen), row: row, sessions: sessions.map { [$0] } ?? []).state
    }

    // MARK: Truth

    /// Returns what the views show and is not so, once everything was asked.
    private static func untruth(in world: PairedWorld) -> String? {
        for chosen in world.cases {
            guard let row = world.row(of: chosen) else { continue }
            let word = PairedState(row)
            let here = world.asked.filter { world.isAsAtPairing(chosen, at: $0) }
            // Where a probe demands the certificate of another one, only a session finds it, which one that is refused
            // does not look for.
            let isSought = world.session(of: chosen).map { ![.refused, .waiting].contains($0.paired) } == true
            let seen = here.filter { isSought || !world.isAskedForAnother($0) }
            let home = chosen.places[0]
            let atHome = world.things[home]
            // Whether a certificate is trusted elsewhere, only a session finds out.
            let mayBeElsewhere = world.asked.contains { place in
                chosen.trust == .certified && place != home && world.things[place] == chosen.itself
            }
            if chosen.hasAnotherCertificate(in: world), word == .moved, row.paths.contains(where: \.proof.isConclusive)
            {
                // It contradicts the one that was proved at another place, until a session proves it.
                continue
            } else if seen.contains(home) {
                if word != .paired { return "\(home) is as it was at pairing, and is \(word)" }
                if row.flags.contains(.moved) || row.flags.contains(.changedLeaf) { return "\(home) is accused" }
            } else if !seen.isEmpty, chosen.trust != .lan, word != .paired {
                return "\(home) answers elsewhere with its proof, and is \(word)"
            } else if mayBeElsewhere {
                continue
            } else if world.isAskedForAnother(home), chosen.trust != .pinned, !isSought {
                // Something else answers here, and nobody has asked what it is.
                continue
            } else if here.isEmpty, let atHome, !atHome.isFrontAlone {
                let hasOtherLeaf = chosen.trust == .pinned && atHome.leaf != nil && atHome.leaf != chosen.itself.leaf
                let expected: PairedState = hasOtherLeaf ? .changedLeaf : .moved
                if word != expected { return "\(home) is \(word), and should be \(expected)" }
            } else if here.isEmpty, word == .paired {
                return "\(home) is shown as paired, and nothing there is it"
            }
            // With the session, as `bots` and `status` show it.
            let bot = row.bots.first(where: \.isPaired)?.state
            let shown = PairedState(row, bot: bot)
            if let fault = fault(of: world.session(of: chosen), of: chosen, shown, in: world) { return fault }
            let status = status(of: chosen, row, in: world)
            if status != shown { return "\(home) is \(shown) in bots, and \(status) in status" }
        }
        return nil
    }

    /// Returns what the session of a gateway shows otherwise than the map, once both have seen everything.
    private static func fault(
        of session: SessionState?,
        of chosen: PairedCase,
        _ word: PairedState,
        in world: PairedWorld
    ) -> String? {
        guard let session else { return nil }
        let home = chosen.places[0]
        switch (session.paired, word) {
        case (.connected, .connected), (.gone, .gone), (.moved, .moved), (.changedLeaf, .changedLeaf),
            (.uncertified, .uncertified), (.refused, .refused), (.waiting, .waiting):
            return nil
        default: return "\(home) is \(word) in the map, and \(session) in its session: \(world.offer(chosen))"
        }
    }
}

extension PairedCase {
    /// Indicates whether one of several places shows another certificate than the one that the system has vouched for: it
    /// may be a renewed one.
    fileprivate func hasAnotherCertificate(in world: PairedWorld) -> Bool {
        guard trust == .certified, places.count > 1 else { return false }
        return places.contains { place in
            world.things[place].map { $0.leaf != nil && $0.leaf != itself.leaf } ?? false
        }
    }
}

extension PathOffer {
    /// The word that a session shows which has these paths, and has tried them: the gateway answers on a path of its row
    /// and may be sought there, or not.
    fileprivate func word(_ row: Gateway) -> PairedState {
        switch obstacle {
        case .moved: return .moved
        case .changedLeaf: return .changedLeaf
        case .uncertified: return .uncertified
        case nil: break
        }
        let sought = Set(all.compactMap(\.endpoint))
        let isAnswering = row.paths.contains { !$0.contradicts && $0.isAnswer && sought.contains($0.endpoint) }
        return isAnswering ? .paired : .gone
    }
}
