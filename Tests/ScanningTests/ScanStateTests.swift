import BotMap
import DNSSD
import Discovery
import GatewayProtocol
import Gateways
import Testing

@testable import Scanning

@Suite struct ScanStateTests {
    private let start = ContinuousClock.now

    // MARK: What is asked

    @Test func aServiceIsAskedAtAllItsAddressesAtOnce() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        let job = try #require(drive.probes.first)
        #expect(drive.probes.count == 1)
        #expect(job.question.endpoints == [Samples.endpoint(1), Samples.endpoint(2)])
        drive.end(job, Samples.report(Samples.endpoint(2)))
        // The other address is asked by itself, so that an impostor there is seen.
        #expect(drive.probes.map(\.question.endpoints) == [[Samples.endpoint(1)]])
    }

    /// Whoever waits until all is known would miss the last answer.
    @Test func anAnswerThatIsNotYetToldIsWork() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        #expect(!drive.state.isIdle, "it is being asked")
        let job = try #require(drive.probes.first)
        drive.state.ended(job.id, report: Samples.report(Samples.endpoint(1)), now: drive.now)
        #expect(!drive.state.isIdle, "it has answered, and nobody was told")
        drive.step()
        #expect(drive.state.isIdle)
    }

    @Test func twoServicesAtOneEndpointAreOneQuestion() {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.apply(.found(Samples.service("B", at: [Samples.address(1)])))
        #expect(drive.probes.count == 1)
    }

    @Test func whatMustNotBeContactedIsToldAndNeverAsked() throws {
        var drive = ScanDrive()
        let loopback = try #require(IPAddress("127.0.0.1"))
        drive.apply(.found(Samples.service("A", at: [loopback])))
        #expect(drive.probes.isEmpty)
        let refused = BotMapEvent.probed(
            Endpoint(address: loopback, port: 3_000),
            .nothing(.notAllowed(.loopback))
        )
        #expect(drive.told.contains(refused))
        #expect(drive.state.progress.asked == 1)
        #expect(drive.state.progress.targets == 1)
        drive.apply(.changed(Samples.service("A", at: []), [.host]))
        #expect(drive.state.progress.targets == 0, "there is nothing to be judged any more")
    }

    /// What comes in on loopback was sent by this very host.
    @Test func loopbackIsRightForAServiceOfThisHost() throws {
        var drive = ScanDrive()
        drive.state.networks = HostNetworks(prefixes: [], loopbacks: [1])
        let lo = ServicePath(interface: NetworkInterface(index: 1, name: "lo"), family: .ipv4)
        let loopback = try #require(IPAddress("127.0.0.1"))
        drive.apply(.found(Samples.service("A", on: lo, at: [loopback])))
        #expect(drive.probes.first?.question.endpoints.first?.address == loopback)
    }

    @Test func aNewAddressIsAskedAndTheOldAnswerKept() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1), Samples.address(2)]), [.addresses]))
        #expect(drive.probes.map(\.question.endpoints) == [[Samples.endpoint(2)]])
    }

    @Test func aChangedRecordIsAReasonToAskAgain() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        drive.apply(.changed(Samples.service("A", at: [Samples.address(1)], txt: ["bots=2"]), [.txt]))
        #expect(drive.probes.map(\.reason) == [.again])
    }

    /// Addresses that came while the first were asked, or were too many for one race, are asked before it is given up.
    @Test func everyAddressIsTriedBeforeNothingIsThere() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: (1...6).map { Samples.address($0) })))
        let first = try #require(drive.probes.first)
        #expect(first.question.endpoints.count == 4)
        drive.end(first, Samples.silence())
        let second = try #require(drive.probes.first)
        #expect(second.question.endpoints.count == 2)
        #expect(drive.state.progress.asked == 0)
        drive.end(second, Samples.silence())
        #expect(drive.probes.isEmpty)
        #expect(drive.state.progress.asked == 1)
        for last in 1...6 as ClosedRange<UInt32> {
            #expect(drive.told.contains(.probed(Samples.endpoint(last), .nothing(.refused))))
        }
    }

    /// Another gateway at the address that is asked: what its other addresses said before says nothing any more.
    @Test func whatChangesAtOneAddressIsAskedAtTheOthersToo() throws {
        var drive = ScanDrive()
        let addresses = [Samples.address(1), Samples.address(2)]
        drive.apply(.found(Samples.service("A", at: addresses)))
        while let job = drive.probes.first { drive.end(job, Samples.report(job.question.endpoints[0])) }
        drive.apply(.changed(Samples.service("A", at: addresses, txt: ["fp=b"]), [.txt]))
        let again = try #require(drive.probes.first)
        drive.end(again, Samples.report(Samples.endpoint(1), dialect: .openAgents))
        #expect(drive.probes.map(\.question.endpoints) == [[Samples.endpoint(2)]])
        // The same answer as before is no reason to ask the others.
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(2), dialect: .openAgents))
        drive.apply(.changed(Samples.service("A", at: addresses, txt: ["fp=c"]), [.txt]))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1), dialect: .openAgents))
        #expect(drive.probes.isEmpty)
    }

    /// A probe of another address that waits must not keep a target from being looked at again.
    @Test func aProbeThatWaitsDoesNotEndTheWatch() throws {
        var drive = ScanDrive()
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        drive.end(try #require(drive.probes.first), Samples.report(Samples.endpoint(1)))
        // The other address stays without an answer; the time to ask anew which bots there are comes meanwhile.
        let stuck = try #require(drive.probes.first)
        for _ in 0..<2_000 where drive.now < start + .seconds(90) {
            guard drive.advance() else { break }
            for check in drive.checks { drive.end(check, roundTrip: .milliseconds(1)) }
        }
        #expect(drive.now >= start + .seconds(90))
        drive.end(stuck, Samples.silence())
        #expect(drive.state.next != nil)
    }

    // MARK: Limits

    @Test func atMostThirtyTwoSocketsAtOnce() throws {
        var drive = ScanDrive()
        for number in 1...100 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        #expect(drive.probes.count == 32)
        drive.end(try #require(drive.probes.first), Samples.silence())
        #expect(drive.probes.count == 32)
        #expect(drive.state.progress.remaining == 99)
    }

    /// A forger's thousand services at one address: however long it lasts, no minute sees more than sixty connections.
    @Test func aForgerCannotAimUsAtAVictim() throws {
        var drive = ScanDrive()
        for number in 0..<1_000 as Range<UInt16> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(1)], port: 2_000 + number)))
        }
        drive.apply(.found(Samples.service("other", at: [Samples.address(2)])))
        var connections: [ContinuousClock.Instant] = []
        var isOtherAsked = false
        while drive.now < start + .seconds(600) {
            while let job = drive.probes.first {
                let endpoint = try #require(job.question.endpoints.first)
                if endpoint.address == Samples.address(1) {
                    connections += [drive.now, drive.now]
                } else {
                    isOtherAsked = true
                }
                drive.end(job, Samples.answerOfSomethingElse(endpoint, connections: 2))
            }
            guard drive.advance() else { break }
        }
        #expect(isOtherAsked)
        #expect(connections.count > 300)
        for index in connections.indices.dropFirst(60) {
            #expect(connections[index] - connections[index - 60] >= .seconds(60))
        }
    }

    @Test func nothingIsDueWhenNothingIsThere() {
        var drive = ScanDrive()
        drive.step()
        #expect(drive.state.next == nil)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        for job in drive.probes { drive.end(job, Samples.report(Samples.endpoint(1))) }
        #expect(!drive.advance() || drive.state.next == nil)
        #expect(drive.state.targets.count == 0)
    }
}
