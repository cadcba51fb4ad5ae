import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The memory that one run of the agent leaves of a gateway, as the next one reads it.
@Suite struct GatewayMemoryTests {
    private static let facts: [String: JSONValue] = [
        "told": .string("down"), "hasAnswered": .bool(true), "outages": .number(JSONNumber(3)),
        "lostWays": .array(["tailnet"]), "troubles": .array(["moved"]), "approvals": .array(["r1"]),
        "isToldRefused": .bool(true), "isToldNotReady": .bool(true),
        "recordedWays": .array(["lan-ipv4"]), "recordedTroubles": .array(["refused", "unheard-of"]),
    ]

    /// Nothing is told or recorded twice after an update: what an earlier version wrote is read.
    @Test func theMemoryOfAnEarlierVersionIsRead() throws {
        let time = JSONValue.string("2026-11-26T12:00:00.000Z")
        let memory = try #require(GatewayMemory(.object(Self.facts.merging(["unready": time]) { $1 })))
        #expect(memory.told == .down && memory.allOutages == 3)
        #expect(
            memory.toldFacts == [.lostWay(.tailnet), .trouble(.moved), .approval(id: "r1"), .refusal, .notReady]
        )
        #expect(memory.recordedFacts == [.lostWay(.lanIPv4), .trouble(.refused), .refusal, .notReady])
        #expect(GatewayMemory(memory.json) == memory)
    }

    @Test func anEmptyMemoryIsReadAndNoOtherText() throws {
        let memory = try #require(GatewayMemory(.object(["told": .string("up"), "hasAnswered": .bool(false)])))
        #expect(memory == GatewayMemory() && GatewayMemory(memory.json) == memory)
        #expect(GatewayMemory(.object(["told": .string("sideways"), "hasAnswered": .bool(true)])) == nil)
    }

    /// The refusal is known until it is known that the gateway accepts this device again; the next one is news.
    @Test func anAcceptanceMakesTheNextRefusalNews() {
        var known: Set<GatewayFact> = []
        known.learn(.trouble(.refused), holds: true)
        #expect(known == [.trouble(.refused), .refusal])
        known.learn(.refusal, holds: false)
        #expect(known == [])
    }

    /// A trouble that ended while no agent ran is over, so that it is told if it comes back.
    @Test func aTroubleThatEndedBetweenTwoRunsIsOver() {
        var drive = RuleDrive()
        drive.set("a", .answering) { $0.troubles = [.moved] }
        drive.wait(10)
        drive.restart()
        drive.set("a", .answering) { $0.troubles = [] }
        drive.wait(400)
        drive.set("a", .answering) { $0.troubles = [.moved] }
        drive.wait(10)
        #expect(drive.told == ["moved a", "moved a"])
    }

    /// Nothing is written if nothing changes.
    @Test func whatIsRememberedIsWrittenOnce() {
        var drive = RuleDrive()
        drive.set("a", .answering) { $0.troubles = [.moved] }
        drive.wait(10)
        let count = drive.actions.count
        drive.wait(60)
        #expect(drive.told == ["moved a"] && drive.actions.count == count)
    }
}
