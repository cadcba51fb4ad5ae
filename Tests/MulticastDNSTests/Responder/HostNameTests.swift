import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The name of this host on the link.
@Suite struct HostNameTests {
    @Test(arguments: [
        ("alpha", "alpha.local"), ("alpha.example.com", "alpha.local"), ("", "host.local"), ("..", "host.local"),
        ("my host_1", "my-host-1.local"), ("-x", "x.local"), ("k\u{fc}che", "k--che.local"),
    ])
    func comesFromTheSystemsName(system: String, expected: String) {
        #expect(HostName(systemName: system).name.escaped == expected)
    }

    @Test func alternativesCount() {
        let name = HostName(systemName: "alpha")
        #expect(name.alternative.name.escaped == "alpha-2.local")
        #expect(name.alternative.alternative.name.escaped == "alpha-3.local")
        let long = HostName(systemName: String(repeating: "a", count: 100))
        #expect(long.name.wire[0] == 63)
        #expect(long.alternative.name.escaped == String(repeating: "a", count: 61) + "-2.local")
    }

    @Test func aTakenNameIsChangedAndWhatIsPublishedLeadsToTheNewOne() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.a("alpha.local", 0x0A00_0009)))
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen"), "the service keeps its name")
        let reported = bench.multicasts.flatMap { $0.message.answers + $0.message.additionals }
        #expect(!reported.contains { $0.name.escaped == "alpha.local" })
        try #expect(reported.contains(Samples.a("alpha-2.local", 0x0A00_0001)))
        let locations = Set(reported.filter { $0.type == .srv }.map(\.data))
        try #expect(locations == [Samples.srv(port: 3_000, host: "alpha-2.local").data])
    }

    @Test func aNameThatIsLostLaterIsAnnouncedAnew() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        let theirs = Samples.response(try Samples.a("alpha.local", 0x0A00_0009))
        bench.receive(theirs)
        bench.advance(by: .milliseconds(100))
        bench.receive(theirs)
        bench.advance(by: .seconds(5))
        let last = try #require(bench.multicasts.last).message.answers
        try #expect(last.contains(Samples.srv(port: 3_000, host: "alpha-2.local")))
        #expect(bench.states.last == .published(name: "Kitchen"))
        #expect(bench.responder.counters.conflicts == 2)
    }

    @Test func anotherResponderOfThisHostIsNoConflict() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        // The other responder may announce an address that we do not, and may itself be probing.
        let theirs = try [Samples.a("alpha.local", 0x0A00_0001), Samples.a("alpha.local", 0xAC10_0001)]
        for record in theirs { bench.receive(Samples.response(record), from: "10.0.0.1") }
        for record in theirs { bench.receive(Samples.probe(record), from: "10.0.0.1") }
        bench.advance(by: .milliseconds(800))
        #expect(bench.states.last == .published(name: "Kitchen"))
        #expect(bench.responder.host.name.escaped == "alpha.local")
        #expect(bench.responder.counters.conflicts == 0)
    }

    /// The host's records are withheld while another responder of this host claims the host's name, and afterwards only
    /// those are sent on which both agree. avahi-daemon leaves out some addresses that we announce; it would take them
    /// for another host's and give up its name.
    @Test func theNameIsLeftToAnotherResponderOfThisHost() throws {
        var bench = ResponderBench()
        let link = ResponderBench.link("10.0.0.1", "fe80::1", "fd00::1")
        bench.responder.setLinks([link], now: bench.now, using: &bench.random)
        _ = try bench.establish()
        bench.sent = []
        let theirs = try [Samples.a("alpha.local", 0x0A00_0001), Samples.aaaa("alpha.local", 0xFD00 << 112 | 1)]
        let probe = DNSMessage(
            questions: [DNSQuestion(name: try Samples.name("alpha.local"), type: .any)],
            authorities: theirs
        )
        for _ in 0..<3 {
            bench.receive(probe, from: "10.0.0.1")
            bench.advance(by: .milliseconds(250))
        }
        try bench.ask("alpha.local", .any)
        bench.advance(by: .seconds(1))
        let records = bench.multicasts.flatMap { $0.message.answers + $0.message.additionals }
        #expect(!records.contains { $0.type == .a || $0.type == .aaaa || $0.type == .nsec }, "\(records)")
        // Afterwards the addresses on which both agree are sent, also as additional records of the service.
        bench.advance(by: .seconds(3))
        bench.sent = []
        try bench.ask("Kitchen._openclaw._tcp.local", .srv)
        bench.advance(by: .seconds(1))
        let last = try #require(bench.multicasts.last).message
        let addresses = (last.answers + last.additionals).filter { $0.type == .a || $0.type == .aaaa }
        #expect(Set(addresses.map(\.data)) == Set(theirs.map(\.data)))
        #expect(bench.responder.host.name == "alpha.local")
        #expect(bench.states.last == .published(name: "Kitchen"))
        // A probe of another host is a conflict.
        bench.sent = []
        bench.receive(Samples.probe(try Samples.a("alpha.local", 0x0A00_0009)))
        #expect(!bench.multicasts.isEmpty, "the name is defended")
    }

    @Test func twoInterfacesOnOneLinkDoNotFightEachOther() throws {
        var bench = ResponderBench()
        let eth1 = NetworkInterface(index: 3, name: "eth1")
        let links = [bench.link, ResponderBench.link("10.0.0.2", on: eth1)]
        bench.responder.setLinks(links, now: bench.now, using: &bench.random)
        _ = try bench.publish()
        let paths = links.map { ServicePath(interface: $0.interface, family: .ipv4) }
        for _ in 0..<30 {
            let before = bench.sent.count
            bench.advance(by: .milliseconds(100))
            for sent in Array(bench.sent[before...]) {
                let address = sent.path == paths[0] ? "10.0.0.1" : "10.0.0.2"
                for path in paths { bench.receive(sent.message, from: address, on: path) }
            }
        }
        #expect(bench.states.last == .published(name: "Kitchen"))
        #expect(bench.responder.counters.conflicts == 0)
    }
}
