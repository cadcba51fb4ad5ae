import DNSSD
import Testing

@testable import Avahi

@Suite struct AvahiBrowseStateMachineTests {
    private var lan = BrowseHarness()

    init() {
        lan.connect()
    }

    // MARK: Resolving

    @Test mutating func whatIsFoundIsResolvedAndWatched() {
        lan.instance(.new, "a")
        let kinds = lan.actions.map { action in
            switch action {
            case .resolve(_, let instance, let path): "resolve \(instance.name) \(path.interface)"
            case .watch(_, let name, let type): "\(type.rawValue) \(name)"
            default: "other"
            }
        }
        #expect(kinds == ["resolve a 2", "33 a._openclaw._tcp.local", "16 a._openclaw._tcp.local"])
        lan.instance(.new, "a", on: BrowseHarness.eth1)
        #expect(lan.actions.isEmpty)
    }

    @Test mutating func resolvedMeansLocationTextAndAddress() {
        lan.instance(.new, "a")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolving 0  ?"])
        lan.srv(.new, "a")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolving 80  ?"])
        lan.txt(.new, "a")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolving 80  v=1"])
        lan.address(.new)
        lan.whole()
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
        #expect(lan.machine.deadline.map { $0 > lan.now } == true)
        lan.wait(.seconds(60))
        #expect(lan.takeReports().isEmpty)
        #expect(lan.machine.deadline == nil)
    }

    @Test mutating func theResolverAloneIsEnoughAndIsFreed() {
        lan.instance(.new, "a")
        let resolver = lan.resolver(of: "a")
        lan.report(.resolved(host: "h.local", port: 80, txt: [Array("v=1".utf8)]), from: resolver)
        #expect(lan.resolver(of: "a") == nil)
        lan.address(.new)
        lan.whole()
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
        // The same data from the records causes no event.
        lan.srv(.new, "a")
        lan.txt(.new, "a")
        #expect(lan.takeReports().isEmpty)
    }

    @Test mutating func aResolverThatFailsIsFreed() {
        lan.instance(.new, "a")
        lan.report(.failed(.failure), from: lan.resolver(of: "a"))
        #expect(lan.resolver(of: "a") == nil)
    }

    @Test mutating func aRecordCorrectsWhatTheResolverSaid() {
        lan.instance(.new, "a")
        lan.report(.resolved(host: "old.local", port: 1, txt: []), from: lan.resolver(of: "a"))
        #expect(lan.watch("old.local", .a) != nil)
        lan.srv(.new, "a")
        #expect(lan.watch("old.local", .a) == nil)
        #expect(lan.watch("h.local", .a) != nil)
    }

    @Test mutating func allAddressesAreTold() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.address(.new, "h.local", 2)
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1,10.0.0.2 v=1"])
        let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        lan.report(.record(.new, data: linkLocal, on: BrowseHarness.eth0), from: lan.watch("h.local", .aaaa))
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1,10.0.0.2,fe80::1%eth0 v=1"])
        lan.address(.remove, "h.local", 1)
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.2,fe80::1%eth0 v=1"])
    }

    @Test mutating func recordsMayComeBeforeTheInstanceIsSeenOnAPath() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.srv(.new, "a", on: BrowseHarness.eth1)
        lan.txt(.new, "a", on: BrowseHarness.eth1)
        lan.address(.new, on: BrowseHarness.eth1)
        #expect(lan.takeReports().isEmpty)
        lan.instance(.new, "a", on: BrowseHarness.eth1)
        #expect(lan.takeReports() == ["+a eth1/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    @Test mutating func oneHostIsWatchedOnceForAllItsInstances() {
        lan.publish("a")
        lan.instance(.new, "b")
        lan.srv(.new, "b", "H.LOCAL")
        #expect(lan.actions.isEmpty)
        lan.instance(.remove, "a")
        #expect(lan.watch("h.local", .a) != nil)
        lan.instance(.remove, "b")
        #expect(lan.objects.count == 1)
    }

    /// An address family whose browser has failed or ended is not waited for, since it will report no more addresses.
    @Test(arguments: [ObjectEvent.failed(.failure), .cacheExhausted])
    func aFamilyThatCannotBeLookedUpHoldsNothingUp(_ end: ObjectEvent) {
        var lan = lan
        lan.instance(.new, "a")
        lan.srv(.new, "a")
        lan.txt(.new, "a")
        lan.address(.new)
        lan.report(.cacheExhausted, from: lan.watch("h.local", .a))
        _ = lan.takeReports()
        lan.report(end, from: lan.watch("h.local", .aaaa))
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    @Test mutating func anAddressBrowserThatCannotBeMadeHoldsNothingUp() {
        lan.instance(.new, "a")
        lan.srv(.new, "a")
        lan.txt(.new, "a")
        lan.address(.new)
        lan.report(.cacheExhausted, from: lan.watch("h.local", .a))
        _ = lan.takeReports()
        lan.refuse(lan.watch("h.local", .aaaa), .tooManyObjects)
        #expect(lan.takeReports().contains("+a eth0/ipv4 resolved 80 10.0.0.1 v=1"))
    }

    // MARK: Changes

    @Test mutating func newTXTRecordKeepsServiceResolved() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.txt(.new, "a", "v=2")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=2"])
        lan.txt(.remove, "a", "v=1")
        #expect(lan.takeReports().isEmpty)
        // The same holds if the old record is removed first.
        lan.txt(.remove, "a", "v=2")
        #expect(lan.takeReports().isEmpty)
        lan.txt(.new, "a", "v=3")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=3"])
    }

    @Test mutating func aNewPortAndHostAreFollowed() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.srv(.new, "a", port: 81)
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 81 10.0.0.1 v=1"])
        lan.srv(.remove, "a", port: 80)
        lan.srv(.new, "a", "other.local", port: 81)
        lan.srv(.remove, "a", port: 81)
        #expect(lan.watch("h.local", .a) == nil)
        #expect(lan.takeReports().isEmpty)
        lan.address(.new, "other.local", 7)
        lan.whole("other.local")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 81 10.0.0.7 v=1"])
    }

    // MARK: Failure

    /// A resolution that is incomplete after five seconds fails with the name of the missing record, and can still
    /// succeed later.
    @Test mutating func whatIsMissingIsNamedAfterFiveSeconds() {
        lan.instance(.new, "a")
        _ = lan.takeReports()
        lan.wait(.milliseconds(4_999))
        #expect(lan.takeReports().isEmpty)
        #expect(lan.machine.deadline == lan.now + .milliseconds(1))
        lan.wait(.milliseconds(1))
        #expect(lan.takeReports() == ["+a eth0/ipv4 failed(no SRV record was answered within 5 s) 0  ?"])
        #expect(lan.machine.deadline == nil)
        lan.srv(.new, "a")
        lan.txt(.new, "a")
        _ = lan.takeReports()
        lan.address(.new)
        lan.whole()
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    @Test mutating func aMissingAddressIsNamed() {
        lan.instance(.new, "a")
        lan.srv(.new, "a")
        _ = lan.takeReports()
        lan.wait(.seconds(5))
        #expect(lan.takeReports() == ["+a eth0/ipv4 failed(no address record was answered within 5 s) 80  ?"])
    }

    @Test mutating func aMissingTextCountsAsEmpty() {
        lan.instance(.new, "a")
        lan.srv(.new, "a")
        lan.address(.new)
        lan.whole()
        _ = lan.takeReports()
        lan.wait(.seconds(5))
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 "])
    }

    // MARK: Losses

    @Test mutating func eachPathGoesByItself() {
        lan.publish("a")
        lan.publish("a", on: BrowseHarness.eth1)
        _ = lan.takeReports()
        lan.instance(.remove, "a")
        #expect(lan.takeReports() == ["-a eth0/ipv4 withdrawn"])
        #expect(lan.objects.count == 6)
        lan.down = [3]
        lan.instance(.remove, "a", on: BrowseHarness.eth1)
        #expect(lan.takeReports() == ["-a eth1/ipv4 interfaceDown"])
        #expect(lan.objects.count == 1)
        #expect(lan.takeReports().isEmpty)
    }

    /// A new path is reported before the old one is lost, so that a service that only changes its path is never lost.
    @Test mutating func aNewPathIsToldBeforeTheOldOneIsGone() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.publish("a", on: BrowseHarness.eth1)
        lan.instance(.remove, "a")
        #expect(lan.takeReports() == ["+a eth1/ipv4 resolved 80 10.0.0.1 v=1", "-a eth0/ipv4 withdrawn"])
    }

    @Test mutating func aPathThatComesBackIsWholeAtOnce() {
        lan.publish("a")
        lan.publish("a", on: BrowseHarness.eth1)
        lan.instance(.remove, "a")
        _ = lan.takeReports()
        lan.instance(.new, "a")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    /// An instance that is listed under two subtypes is lost only when both have removed it.
    @Test mutating func whatIsFoundUnderTwoTypesIsGoneWithTheSecond() throws {
        lan = BrowseHarness(types: [try ServiceType("_openclaw._tcp,_home,_lab")])
        lan.connect()
        let home = lan.browser(of: "_home._sub._openclaw._tcp")
        let lab = lan.browser(of: "_lab._sub._openclaw._tcp")
        lan.instance(.new, "a", by: home)
        lan.instance(.new, "a", by: lab)
        _ = lan.takeReports()
        lan.instance(.remove, "a", by: home)
        lan.instance(.remove, "a", by: home)
        #expect(lan.takeReports().isEmpty)
        lan.instance(.remove, "a", by: lab)
        #expect(lan.takeReports() == ["-a eth0/ipv4 withdrawn"])
        #expect(lan.objects.count == 2)
    }

    @Test mutating func interfacesThatWereNotAskedForAreLeftOut() {
        lan = BrowseHarness(interfaces: ["eth1"])
        lan.connect()
        lan.instance(.new, "a")
        #expect(lan.takeReports().isEmpty)
        #expect(lan.objects.count == 1)
        lan.publish("a", on: BrowseHarness.eth1)
        #expect(lan.takeReports() == ["+a eth1/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    // MARK: Restarts

    /// A restart of the daemon after which all instances and records are the same causes no event.
    @Test mutating func aRestartAfterWhichAllComesBackIsNoNews() {
        lan.publish("a")
        lan.publish("b")
        _ = lan.takeReports()
        lan.disconnect()
        #expect(lan.takeReports().isEmpty)
        lan.wait(.seconds(60))
        lan.connect()
        lan.instance(.new, "a")
        lan.instance(.new, "b")
        #expect(lan.takeReports().isEmpty)
        lan.report(.allForNow, from: lan.browser)
        for name in ["a", "b"] {
            lan.srv(.new, name)
            #expect(lan.takeReports().isEmpty)
            lan.txt(.new, name)
            #expect(lan.takeReports().isEmpty)
        }
        lan.address(.new)
        #expect(lan.takeReports().isEmpty)
        lan.whole()
        lan.wait(.seconds(60))
        #expect(lan.takeReports().isEmpty)
    }

    /// An instance that the restarted daemon does not report again is lost three seconds after the daemon's event that
    /// it has listed everything for now.
    @Test mutating func whatDoesNotComeBackIsLostThreeSecondsAfterAllForNow() {
        lan.publish("a")
        lan.publish("b")
        _ = lan.takeReports()
        lan.disconnect()
        lan.connect()
        lan.publish("a")
        lan.wait(.seconds(60))
        #expect(lan.takeReports().isEmpty)
        lan.report(.allForNow, from: lan.browser)
        lan.wait(.milliseconds(2_999))
        #expect(lan.takeReports().isEmpty)
        lan.wait(.milliseconds(1))
        #expect(lan.takeReports() == ["-b eth0/ipv4 missingAfterRestart"])
        #expect(lan.watch("b._openclaw._tcp.local", .srv) == nil)
        #expect(lan.objects.count == 6)
    }

    @Test mutating func addressesThatDoNotComeBackAreTakenOut() {
        lan.publish("a")
        lan.address(.new, "h.local", 2)
        _ = lan.takeReports()
        lan.disconnect()
        lan.connect()
        lan.publish("a")
        lan.report(.allForNow, from: lan.browser)
        #expect(lan.takeReports().isEmpty)
        lan.wait(.seconds(3))
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    @Test mutating func whatChangedMeanwhileIsAChange() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.disconnect()
        lan.connect()
        lan.instance(.new, "a")
        lan.txt(.new, "a", "v=2")
        #expect(lan.takeReports() == ["+a eth0/ipv4 resolved 80 10.0.0.1 v=2"])
    }

    @Test mutating func aSecondRestartStartsTheTimeAnew() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.disconnect()
        lan.connect()
        lan.report(.allForNow, from: lan.browser)
        lan.disconnect()
        lan.wait(.seconds(60))
        #expect(lan.takeReports().isEmpty)
        lan.connect()
        lan.wait(.seconds(60))
        #expect(lan.takeReports().isEmpty)
        lan.report(.allForNow, from: lan.browser)
        lan.wait(.seconds(3))
        #expect(lan.takeReports() == ["-a eth0/ipv4 missingAfterRestart"])
    }

    /// The path of an interface that was renamed while the daemon was away is reported as a new path, and the old one
    /// is lost.
    @Test mutating func aRenamedInterfaceLeavesNoOldPath() {
        lan.publish("a")
        _ = lan.takeReports()
        lan.disconnect()
        lan.names[2] = "lan0"
        lan.connect()
        lan.publish("a")
        #expect(lan.takeReports() == ["+a lan0/ipv4 resolved 80 10.0.0.1 v=1", "-a eth0/ipv4 interfaceDown"])
    }

    /// An interface that is renamed while the daemon runs is reported under its new name, since the daemon identifies
    /// it by its index.
    @Test mutating func anInterfaceIsRenamedBetweenTwoAnswers() {
        lan.publish("a")
        lan.instance(.remove, "a")
        _ = lan.takeReports()
        lan.names[2] = "lan0"
        lan.publish("a")
        #expect(lan.takeReports() == ["+a lan0/ipv4 resolved 80 10.0.0.1 v=1"])
    }

    // MARK: Limits

    @Test mutating func theCacheIsWarnedOfAtNinetyPercentOnce() {
        lan = BrowseHarness()
        lan.connect(cacheLimit: 100)
        // Each instance has three records: 29 instances are 87 % of the limit, 30 are 90 %.
        for number in 1...29 { lan.instance(.new, "s\(number)") }
        #expect(!lan.takeReports().contains("!cacheNearlyFull"))
        lan.instance(.new, "s29")
        lan.instance(.new, "s1", on: BrowseHarness.eth1)
        lan.instance(.new, "s1", on: BrowseHarness.eth0v6)
        #expect(!lan.takeReports().contains { $0.hasPrefix("!") })
        lan.instance(.new, "s30")
        let first = lan.events().compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
        #expect(first.map(\.code) == [.cacheNearlyFull])
        #expect(first.first?.message.contains("cache-entries-max=100") == true)
        for number in 31...60 { lan.instance(.new, "s\(number)") }
        #expect(!lan.takeReports().contains { $0.hasPrefix("!") })
    }

    @Test mutating func aBrowseThatTheDaemonGaveUpOnIsTold() {
        lan.report(.failed(.failure), from: lan.browser)
        let warnings = lan.events().compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
        #expect(warnings.map(\.code) == [.browseFailed])
    }

    @Test mutating func instancesPastTheLimitAreLeftOutAndToldOnce() {
        lan = BrowseHarness(maximumInstances: 2)
        lan.connect()
        for name in ["a", "b", "c", "d"] { lan.instance(.new, name) }
        let warnings = lan.events().filter { if case .warning = $0 { true } else { false } }
        #expect(warnings.count == 1)
        #expect(lan.objects.count == 7)
        lan.instance(.remove, "c")
        lan.instance(.remove, "a")
        lan.instance(.new, "d")
        #expect(lan.resolver(of: "d") != nil)
    }

    /// A protected instance is admitted past the limit. Otherwise, a forger could remove it with a forged goodbye, fill
    /// its place with forged services, and keep it out when it is announced again.
    @Test mutating func whatIsKnownToBeAliveIsTakenInPastTheLimit() {
        lan = BrowseHarness(maximumInstances: 2, protected: ["alive"])
        lan.connect()
        lan.instance(.new, "alive")
        lan.instance(.remove, "alive")
        for name in ["a", "b", "c"] { lan.instance(.new, name) }
        lan.instance(.new, "alive")
        #expect(lan.resolver(of: "alive") != nil)
        lan.instance(.new, "ours", isOurs: true)
        #expect(lan.resolver(of: "ours") != nil)
        #expect(lan.resolver(of: "c") == nil)
        let losses = lan.events().filter { if case .losses = $0 { true } else { false } }
        #expect(losses.count == 1, "only the instance that was left out is counted")
    }

    // MARK: Malformed data

    @Test mutating func malformedReportsAreIgnoredAndWarnedOfOnce() {
        let browser = lan.browser
        let names: [String?] = [nil, "", String(repeating: "x", count: 64)]
        for name in names {
            lan.report(
                .instance(
                    .new,
                    name: name,
                    type: "_openclaw._tcp",
                    domain: "local",
                    on: BrowseHarness.eth0,
                    isOurs: false,
                    isOwn: false
                ),
                from: browser
            )
        }
        for type in [nil, "", "openclaw", "_a._b"] {
            lan.report(
                .instance(
                    .new,
                    name: "a",
                    type: type,
                    domain: "local",
                    on: BrowseHarness.eth0,
                    isOurs: false,
                    isOwn: false
                ),
                from: browser
            )
        }
        lan.publish("a")
        let srv = lan.watch("a._openclaw._tcp.local", .srv)
        for data in [[], [0, 0, 0, 0, 0, 80], [0, 0, 0, 0, 0, 80, 0xC0, 0x0C]] as [[UInt8]] {
            lan.report(.record(.new, data: data, on: BrowseHarness.eth0), from: srv)
        }
        for size in [0, 3, 5, 16] {
            lan.report(
                .record(.new, data: [UInt8](repeating: 1, count: size), on: BrowseHarness.eth0),
                from: lan.watch("h.local", .a)
            )
        }
        #expect(lan.takeReports().sorted() == ["!invalidRecord", "+a eth0/ipv4 resolved 80 10.0.0.1 v=1"].sorted())
    }

    /// A refused name is reported as an invalid record, not as a lack of objects in the daemon.
    @Test mutating func aRefusedNameIsNoLackOfObjects() {
        lan.instance(.new, "a")
        _ = lan.takeReports()
        lan.refuse(lan.resolver(of: "a"), .failure)
        #expect(lan.takeReports() == ["!invalidRecord"])
        lan.refuse(lan.watch("a._openclaw._tcp.local", .srv), .tooManyObjects)
        #expect(lan.takeReports() == ["!objectsExhausted"])
    }
}
