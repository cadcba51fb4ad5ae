import DNSSD
import GatewayProtocol
import Pairing
import TestSupport
import Testing

@testable import Reports

/// The commands that diagnoses advise, as people paste them: whatever gateways, their hosts and paths are called, nothing else
/// runs.
@Suite(.timeLimit(.minutes(5))) struct PrintedCommandTests {
    private static func facts(_ name: String) -> [DiagnosisFacts] {
        let states = PairedState.allCases.flatMap { state in
            [true, false].map { Samples.status(state, name, connects: $0, name: name) }
        }
        let refusals = SessionRefusal.Reason.allCases.map { Samples.status(.refused, name, refusal: $0, name: name) }
        let certified = Samples.status(.uncertified, trust: .certified(host: name), name: name)
        return (states + refusals + [certified]).map { status in
            DiagnosisFacts(word: status.pairing.word, pairing: status, sessionProblem: name, now: 0)
        }
    }

    private static func facts(at resource: String) -> [DiagnosisFacts] {
        let answers: [PlaceAnswer] = [
            .gateway(.openAgents, isTLS: false, roundTrip: nil), .anotherGateway, .somethingElse(resource),
            .front(status: 502),
            .refused, .unreachable, .silent(.seconds(1)), .hanging(.seconds(1)), .closed, .noTLS,
            .notAllowed(.metadata),
            .notAsked(resource),
        ]
        let place = Endpoint(address: Samples.home.address, port: 3_000, resource: "/\(resource)")
        return answers.flatMap { answer in
            [PlaceFacts.Demand?.none, .tls, .plain].flatMap { demand in
                [true, false].map { isOfContainers in
                    DiagnosisFacts(
                        word: nil,
                        places: [
                            PlaceFacts(
                                place,
                                sources: [.advertised],
                                answer: answer,
                                demand: demand,
                                isOfContainers: isOfContainers,
                                containerInterface: resource
                            )
                        ],
                        now: 0
                    )
                }
            }
        }
    }

    @Test func nothingElseRuns() throws {
        let facts = HostileScalars.names.flatMap { Self.facts($0) + Self.facts(at: $0) }
        let commands = Set(
            facts.map(Diagnosis.init).flatMap { $0.findings.map(\.command) + [$0.next].compactMap(\.self) }
        )
        #expect(commands.count > 20)
        #expect(commands.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        let place = "[a-z0-9.:-]+"
        // Some of these names are words: they are harmless between quotation marks.
        let meant = Set(
            HostileScalars.names.flatMap { name in
                [name] + ["", "ws://", "wss://"].map { "\($0)10.0.0.2:3000/\(name)" }
            }
        )
        let words = try Regex("(\(place)|DIGITS|--[a-z-]+|wss?://\(place))")
        // fish runs nothing at all of a text with such an assignment in it.
        for lines in [
            commands.filter { !$0.hasPrefix("i=") }.sorted(), commands.filter { $0.hasPrefix("i=") }.sorted(),
        ] {
            for shell in PastingShell.allCases {
                for isTyping in [false, true] {
                    let pasted = try PastedLines(lines, into: shell, isTyping: isTyping)
                    #expect(pasted.files.isEmpty, "\(shell) has run something")
                    #expect(pasted.calls.count == lines.count { $0.hasPrefix("clawradar ") }, "\(shell)")
                    for word in pasted.calls.joined() {
                        #expect(try meant.contains(word) || words.wholeMatch(in: word) != nil, "\(word)")
                    }
                }
            }
        }
    }
}
