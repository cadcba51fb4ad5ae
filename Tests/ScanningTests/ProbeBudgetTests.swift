import DNSSD
import TestSupport
import Testing

@testable import Scanning

@Suite struct ProbeBudgetTests {
    private let start = ContinuousClock.now

    private func entry(
        _ number: Int,
        _ standing: ProbeStanding = .stranger,
        port: UInt16 = 3_000,
        connections: Int = 1,
        host: DomainName? = nil,
        at address: Int = 1
    ) -> ProbeBudget.Entry {
        ProbeBudget.Entry(
            endpoint: Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + UInt32(address))), port: port),
            job: number,
            connections: connections,
            standing: standing,
            host: host
        )
    }

    /// Removes and returns all probes that may begin now.
    private func begin(_ budget: inout ProbeBudget, at time: ContinuousClock.Instant? = nil) -> [ProbeBudget.Entry] {
        var begun: [ProbeBudget.Entry] = []
        while let entry = budget.next(at: time ?? start, isWanted: { _ in true }) { begun.append(entry) }
        return begun
    }

    /// The one probe of most addresses has no queue, and must have its turn as if it had one.
    @Test func waitingProbesTakeTurnsAsFiveQueuesDo() {
        var generator = SeededGenerator(seed: 27)
        let hosts: [DomainName?] = ["a.local", "b.local", nil]
        for _ in 0..<200 {
            var probes = WaitingProbes()
            var queues = ProbeStanding.allCases.map { _ in TurnQueue<ProbeBudget.Entry>() }
            for number in 0..<30 {
                let standing = ProbeStanding.allCases[Int.random(in: 0..<5, using: &generator)]
                if Bool.random(using: &generator) {
                    let new = entry(number, standing, host: hosts[number % 3])
                    probes.append(new)
                    queues[standing.rawValue].append(new, host: new.host)
                } else {
                    let (one, other) = (probes.popFirst(standing), queues[standing.rawValue].popFirst())
                    #expect(one == other)
                    if let one, Bool.random(using: &generator) {
                        probes.putBack(one)
                        queues[standing.rawValue].putBack(one, host: one.host)
                    }
                }
                #expect(probes.count == queues.reduce(0) { $0 + $1.count })
            }
        }
    }

    @Test func thirtyTwoAtOnceOfWhichTwentyFourAreStrangers() {
        var budget = ProbeBudget()
        for number in 0..<40 { budget.enqueue(entry(number, at: number)) }
        var running = begin(&budget)
        #expect(running.count == 24)
        for number in 40..<80 { budget.enqueue(entry(number, .manual, at: number)) }
        running += begin(&budget)
        #expect(running.count == 32)
        #expect(budget.waiting == 48)
        budget.end(running[31], used: 0, at: start)
        #expect(begin(&budget).map(\.standing) == [.manual])
        budget.end(running[0], used: 0, at: start)
        budget.end(running[30], used: 0, at: start)
        #expect(begin(&budget).count == 2)
    }

    @Test func eightAtOnceToOneAddress() {
        var budget = ProbeBudget()
        for number in 0..<20 { budget.enqueue(entry(number, .answered, port: UInt16(number + 1))) }
        let running = begin(&budget)
        #expect(running.count == 8)
        budget.end(running[0], used: 0, at: start)
        #expect(begin(&budget).count == 1)
    }

    /// Connections are counted together for two notations of one address, and for all IPv6 addresses of one /64, since
    /// one host can have all of them.
    @Test func oneHostIsOneAddress() throws {
        func group(_ text: String) throws -> AddressGroup { AddressGroup(try #require(IPAddress(text))) }
        #expect(try group("10.0.0.1") == group("::ffff:10.0.0.1"))
        #expect(try group("10.0.0.1") != group("10.0.0.2"))
        #expect(try group("fd00::1") == group("fd00::ffff:1"))
        #expect(try group("fd00::1") != group("fd00:0:0:1::1"))
        #expect(try group("::1") != group("::2"))
        let (one, other) = (NetworkInterface(index: 2, name: "eth0"), NetworkInterface(index: 3, name: "eth1"))
        let groups = [(1, one), (2, one), (1, other)].map {
            AddressGroup(Samples.linkLocalAddress($0, on: $1))
        }
        #expect(Set(groups).count == 3)
    }

    /// Connections that a probe reserved and did not use are returned at once.
    @Test func unusedConnectionsAreReturned() {
        var budget = ProbeBudget()
        for number in 0..<60 {
            budget.enqueue(entry(number, connections: 5))
            let begun = begin(&budget)
            #expect(begun.count == 1)
            for entry in begun { budget.end(entry, used: 0, at: start) }
        }
        #expect(budget.remembered == 0)
    }

    /// Strangers use up only their own connections per minute: probes of endpoints that have answered, that the user
    /// entered, or that their own host has announced or confirmed have a share of their own.
    @Test func strangersLeaveConnectionsForOthers() {
        var budget = ProbeBudget()
        var used = 0
        for number in 0..<100 {
            budget.enqueue(entry(number, port: UInt16(number + 1)))
            for entry in begin(&budget) {
                used += 1
                budget.end(entry, used: 1, at: start)
            }
        }
        #expect(used == ProbeBudget.strangersPerMinute)
        #expect(budget.putOff == 40)
        #expect(budget.isBlocked(entry(0).endpoint))
        for standing in ProbeStanding.allCases where standing < .stranger {
            budget.enqueue(entry(1_000 + standing.rawValue, standing))
            let begun = begin(&budget)
            #expect(begun.map(\.standing) == [standing])
            for entry in begun { budget.end(entry, used: 1, at: start) }
        }
        #expect(begin(&budget).isEmpty)
        let blocked = budget.takeBlocked()
        #expect(blocked.last?.until == start + .seconds(60))
        budget.unblock(AddressGroup(entry(0).endpoint.address))
        #expect(begin(&budget, at: start + .seconds(60)).count == 8)
    }

    /// Waiting probes begin in the order of their standing.
    @Test func probesBeginInOrderOfStanding() {
        var budget = ProbeBudget()
        for (number, standing) in ProbeStanding.allCases.reversed().enumerated() {
            budget.enqueue(entry(number, standing, port: UInt16(number + 1)))
        }
        #expect(begin(&budget).map(\.standing) == ProbeStanding.allCases)
    }

    /// A thousand probes that wait at one address do not hold up a probe of another address.
    @Test func oneAddressDoesNotHoldUpAnother() {
        var budget = ProbeBudget()
        for number in 0..<1_000 { budget.enqueue(entry(number, port: UInt16(number + 1))) }
        budget.enqueue(entry(1_000, at: 2))
        #expect(begin(&budget).contains { $0.job == 1_000 })
    }

    /// Withdrawn probes are skipped, and do not count as waiting.
    @Test func withdrawnProbesAreSkipped() {
        var budget = ProbeBudget()
        for number in 0..<200 { budget.enqueue(entry(number, port: UInt16(number + 1))) }
        for number in 0..<199 { budget.withdraw(entry(number, port: UInt16(number + 1)).endpoint) }
        #expect(budget.waiting == 1)
        let next = budget.next(at: start) { $0.job == 199 }
        #expect(next?.job == 199)
        #expect(budget.waiting == 0)
        let isOver = budget.next(at: start) { _ in true } == nil
        #expect(isOver)
    }

    /// Nothing stays of a flood at one address that is over, while its budget is used up and no turn comes: thousands of small
    /// blocks all over the heap would keep the memory around them from the system.
    @Test func nothingStaysOfProbesThatAreAllWithdrawn() {
        var budget = ProbeBudget()
        for number in 0..<1_000 {
            let host = try? DomainName(escaped: "host-\(number).local")
            budget.enqueue(entry(number, port: UInt16(number + 1), host: host))
        }
        let begun = begin(&budget)
        for number in begun.count..<1_000 { budget.withdraw(entry(number, port: UInt16(number + 1)).endpoint) }
        #expect(budget.waiting == 0)
        #expect(budget.stored == 0)
    }

    /// No period of sixty seconds has more than sixty connections to one address by probes of strangers, whatever the
    /// order of events.
    @Test(arguments: [1 as UInt64, 2, 3, 4, 5])
    func aForgerGetsSixtyAMinute(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = ProbeBudget()
        var now = start
        var made: [ContinuousClock.Instant] = []
        var running: [ProbeBudget.Entry] = []
        var unblocked: [(time: ContinuousClock.Instant, group: AddressGroup)] = []
        for number in 0..<20_000 {
            for (group, time) in budget.takeBlocked() { unblocked.append((time, group)) }
            for (time, group) in unblocked where time <= now { budget.unblock(group) }
            unblocked.removeAll { $0.time <= now }
            if !running.isEmpty, Bool.random(using: &random) {
                let entry = running.remove(at: Int.random(in: running.indices, using: &random))
                let used = Int.random(in: 0...entry.connections, using: &random)
                budget.end(entry, used: used, at: now)
                made += Array(repeating: now, count: used)
            } else {
                if budget.waiting < 50 {
                    budget.enqueue(entry(number, connections: Int.random(in: 1...6, using: &random)))
                }
                if let entry = budget.next(at: now, isWanted: { _ in true }) { running.append(entry) }
            }
            now += .milliseconds(Int.random(in: 0...40, using: &random))
        }
        for index in made.indices.dropFirst(60) {
            #expect(made[index] - made[index - 60] >= .seconds(60), "seed \(seed)")
        }
        #expect(made.count > 200, "seed \(seed)")
    }

    /// Addresses whose connections are a minute old are forgotten, so that the cost of a probe does not grow with the
    /// number of addresses that there ever were.
    @Test func addressesAreForgottenAfterAMinute() {
        var budget = ProbeBudget()
        for number in 0..<1_024 {
            budget.enqueue(entry(number, at: number))
            for entry in begin(&budget) { budget.end(entry, used: 1, at: start) }
        }
        #expect(budget.remembered == 1_024)
        budget.enqueue(entry(1_024, at: 1_024))
        for entry in begin(&budget, at: start + .seconds(60)) { budget.end(entry, used: 1, at: start + .seconds(60)) }
        #expect(budget.remembered == 1)
    }

    /// Twenty thousand probes that wait while the maximum number of strangers runs cost nothing each time that the next
    /// probe is looked for.
    @Test func whatWaitsCostsNothing() {
        var budget = ProbeBudget()
        for number in 0..<20_000 { budget.enqueue(entry(number, at: number)) }
        #expect(begin(&budget).count == ProbeBudget.strangersAtOnce)
        let clock = ContinuousClock()
        let time = clock.measure {
            for _ in 0..<1_000 where budget.next(at: start, isWanted: { _ in true }) != nil {
                Issue.record("a stranger begins above the limit")
            }
        }
        #expect(time < .seconds(5))
        budget.enqueue(entry(20_000, .firstHand, at: 20_000))
        #expect(begin(&budget).map(\.job) == [20_000])
    }
}
