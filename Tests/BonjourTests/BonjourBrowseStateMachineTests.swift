import DNSSD
import TestSupport
import Testing

@testable import Bonjour

@Suite struct BonjourBrowseStateMachineTests {
    private let type = ServiceType(checkedName: "openclaw", transport: .tcp)
    private let now = ContinuousClock.now

    private func machine(
        _ limits: BrowseLimits = BrowseLimits(),
        interfaces: Set<String> = []
    ) -> BonjourBrowseStateMachine {
        BonjourBrowseStateMachine(
            limits: limits,
            interfaces: interfaces,
            interfaceName: { $0 == 2 ? "eth0" : $0 == 3 ? "eth1" : nil },
            isOurs: { $0.name == "ours" },
            isProtected: { $0.name == "alive" }
        )
    }

    private func name(_ text: String) throws -> ServiceInstance { try ServiceInstance(name: text, type: type) }

    private func started(_ actions: [BonjourBrowseAction]) -> [LookupKey] {
        actions.compactMap { if case .start(let key) = $0 { key } else { nil } }
    }

    private func events(_ actions: [BonjourBrowseAction]) -> [BrowseEvent] {
        actions.flatMap { action -> [BrowseEvent] in if case .report(let events) = action { events } else { [] } }
    }

    private func sightings(_ actions: [BonjourBrowseAction]) -> [Sighting] {
        events(actions).compactMap { if case .sighted(let sighting) = $0 { sighting } else { nil } }
    }

    private func vanished(_ actions: [BonjourBrowseAction]) -> [LossReason] {
        events(actions).compactMap { if case .vanished(_, _, let reason) = $0 { reason } else { nil } }
    }

    private func answer(_ host: String = "h1.local.") -> ReferenceEvent {
        .resolved(host: host, port: 3_000, txt: [3] + Array("v=1".utf8))
    }

    /// Finds and resolves `home` on eth0.
    private func resolve(_ machine: inout BonjourBrowseStateMachine) throws -> ServiceInstance {
        let home = try name("home")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        let actions = machine.receive(answer(), from: .resolve(home, interface: 2), now: now)
        let host = try DomainName(escaped: "h1.local")
        #expect(
            Set(started(actions)) == [
                .text(home, interface: 2), .addresses(host, .ipv4, interface: 2), .addresses(host, .ipv6, interface: 2),
            ]
        )
        _ = machine.receive(
            .record(isAdded: true, data: [10, 0, 0, 1]),
            from: .addresses(host, .ipv4, interface: 2),
            now: now
        )
        let reported = machine.tick(now: now + machine.limits.addressQuiet)
        #expect(sightings(reported).last?.resolution == .resolved)
        return home
    }

    /// A protected instance, and one of this process, are admitted past the limit. Otherwise, a forger could remove an
    /// instance with a forged goodbye, fill its place with forged services, and keep it out when it is announced again.
    @Test func whatIsKnownToBeAliveIsTakenInPastTheLimit() throws {
        var limits = BrowseLimits()
        limits.paths = 2
        var machine = machine(limits)
        _ = machine.started(now: now)
        var actions: [BonjourBrowseAction] = []
        for text in ["a", "b", "c", "alive", "ours"] {
            actions += machine.instanceChanged(try name(text), isAdded: true, interface: 2, now: now)
        }
        #expect(Set(machine.paths.keys.map(\.instance.name)) == ["a", "b", "alive", "ours"])
        let losses = events(actions).filter { if case .losses = $0 { true } else { false } }
        #expect(losses.count == 1, "only the instance that was left out is counted")
    }

    /// A look-up that is running is not started a second time, since the first reference, and with it a thread, would
    /// be lost.
    @Test func nothingIsAskedTwiceAtOnce() throws {
        var machine = machine()
        let home = try resolve(&machine)
        // The daemon comes back just before the time of the next round, which was set before it went away.
        let again = try #require(machine.paths.values.first?.refreshAt)
        _ = machine.lost(BackendError(.noDaemon, "gone"), now: again - .milliseconds(200))
        _ = machine.started(now: again - .milliseconds(200))
        var running: Set<LookupKey> = []
        var actions = machine.instanceChanged(home, isAdded: true, interface: 2, now: again - .milliseconds(100))
        for step in 0..<10 {
            for action in actions {
                switch action {
                case .start(let key): #expect(running.insert(key).inserted, "\(key) is already running")
                case .stop(let key): running.remove(key)
                case .report: break
                }
            }
            actions = machine.tick(now: again + .milliseconds(50 * step))
        }
        #expect(running.contains(.resolve(home, interface: 2)))
    }

    /// A look-up of addresses ends even if records keep appearing and vanishing.
    @Test func aQuestionForAddressesEnds() throws {
        var machine = machine()
        let home = try name("home")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        _ = machine.receive(answer(), from: .resolve(home, interface: 2), now: now)
        let lookup = LookupKey.addresses(try DomainName(escaped: "h1.local"), .ipv4, interface: 2)
        var time = now
        for round in 0..<200 where machine.running[lookup] != nil {
            _ = machine.receive(.record(isAdded: round % 2 == 0, data: [10, 0, 0, 1]), from: lookup, now: time)
            time += machine.limits.addressQuiet / 2
            _ = machine.tick(now: time)
        }
        #expect(machine.running[lookup] == nil)
        #expect(time - now <= machine.limits.addressTimeout + machine.limits.addressQuiet)
    }

    /// A new address replaces an old one when the limit is reached, so that a forger that announces as many addresses
    /// as are kept does not keep out the real one.
    @Test func oldAddressesMakeRoom() throws {
        var machine = machine()
        let home = try name("home")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        _ = machine.receive(answer(), from: .resolve(home, interface: 2), now: now)
        let lookup = LookupKey.addresses(try DomainName(escaped: "h1.local"), .ipv4, interface: 2)
        for last in 1...UInt8(machine.limits.addresses) {
            _ = machine.receive(.record(isAdded: true, data: [10, 0, 0, last]), from: lookup, now: now)
        }
        _ = machine.tick(now: now + machine.limits.addressQuiet)
        var time = now
        for _ in 0..<1_000 where machine.running[lookup] == nil {
            guard let next = machine.deadline else { break }
            time = max(time, next)
            for key in started(machine.tick(now: time)) where key == .resolve(home, interface: 2) {
                _ = machine.receive(answer(), from: key, now: time)
            }
        }
        try #require(machine.running[lookup] != nil)
        _ = machine.receive(.record(isAdded: true, data: [10, 0, 0, 200]), from: lookup, now: time)
        _ = machine.tick(now: time + machine.limits.addressQuiet)
        let reported = try #require(machine.paths.values.first?.reported)
        #expect(reported.addresses.contains(.v4(IPv4Address(bits: 0x0A00_00C8))))
    }

    @Test func anInstanceIsFoundThenResolved() throws {
        var machine = machine()
        _ = try resolve(&machine)
        let sighting = try #require(machine.paths.values.first?.reported)
        #expect(sighting.host == "h1.local")
        #expect(sighting.port == 3_000)
        #expect(sighting.addresses == [.v4(IPv4Address(bits: 0x0A00_0001))])
        #expect(sighting.txt?.string(forKey: "v") == "1")
        #expect(sighting.source == .bonjour)
    }

    /// An instance is lost only with its last family, since Avahi's library reports its appearance and its loss once
    /// for each family.
    @Test func anInstanceIsGoneWithItsLastFamily() throws {
        var machine = machine()
        let home = try resolve(&machine)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        #expect(vanished(machine.instanceChanged(home, isAdded: false, interface: 2, now: now)) == [])
        #expect(vanished(machine.instanceChanged(home, isAdded: false, interface: 2, now: now)) == [.withdrawn])
        #expect(machine.running.isEmpty)
        #expect(machine.hosts.isEmpty)
    }

    /// The look-ups of 500 services run in batches, and none is forgotten, since each look-up takes a thread and a
    /// connection in the library.
    @Test func fiveHundredServicesPassInBatches() throws {
        var machine = machine()
        _ = machine.started(now: now)
        var waiting: [LookupKey] = []
        var most = 0
        for number in 0..<500 {
            let actions = machine.instanceChanged(try name("s\(number)"), isAdded: true, interface: 2, now: now)
            waiting += started(actions)
            most = max(most, machine.running.count)
        }
        var index = 0
        while index < waiting.count {
            let key = waiting[index]
            index += 1
            switch key {
            case .resolve: waiting += started(machine.receive(answer(), from: key, now: now))
            case .addresses(_, .ipv4, _):
                waiting += started(machine.receive(.record(isAdded: true, data: [10, 0, 0, 1]), from: key, now: now))
            case .addresses(_, .ipv6, _), .text: break
            }
            most = max(most, machine.running.count)
        }
        _ = machine.tick(now: now + machine.limits.addressQuiet)
        #expect(most <= 56)
        #expect(machine.paths.values.count { $0.reported?.resolution == .resolved } == 500)
    }

    @Test func aWatchedTextIsToldAtOnce() throws {
        var machine = machine()
        let home = try resolve(&machine)
        let actions = machine.receive(
            .record(isAdded: true, data: [3] + Array("v=2".utf8)),
            from: .text(home, interface: 2),
            now: now
        )
        #expect(sightings(actions).first?.txt?.string(forKey: "v") == "2")
    }

    /// A watch that begins just after a change finds two records in the daemon's cache, in any order: the old one is gone
    /// from it a second later (RFC 6762 §10.2). The one that is left counts.
    @Test(arguments: [["1", "2"], ["2", "1"]])
    func ofTwoWatchedTextsTheOneThatStaysCounts(order: [String]) throws {
        var machine = machine()
        let home = try resolve(&machine)
        func watch(_ version: String, isAdded: Bool) -> [BonjourBrowseAction] {
            machine.receive(
                .record(isAdded: isAdded, data: [3] + Array("v=\(version)".utf8)),
                from: .text(home, interface: 2),
                now: now
            )
        }
        for version in order { _ = watch(version, isAdded: true) }
        _ = watch("1", isAdded: false)
        let key = InstanceKey(instance: home, interface: 2)
        #expect(machine.paths[key]?.reported?.txt?.string(forKey: "v") == "2")
        // Nothing is reported when the last one goes: the instance goes with it, or another record comes.
        #expect(sightings(watch("2", isAdded: false)).isEmpty)
        #expect(machine.paths[key]?.reported?.txt?.string(forKey: "v") == "2")
        #expect(sightings(watch("3", isAdded: true)).first?.txt?.string(forKey: "v") == "3")
    }

    @Test func withoutAnAnswerItHasFailedAndIsAskedAgain() throws {
        var machine = machine()
        let home = try name("home")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        let late = now + machine.limits.resolveTimeout
        let actions = machine.tick(now: late)
        #expect(actions.contains(.stop(.resolve(home, interface: 2))))
        guard case .failed = sightings(actions).first?.resolution else {
            Issue.record("not failed")
            return
        }
        #expect(started(machine.tick(now: late + machine.limits.retryInterval)) == [.resolve(home, interface: 2)])
    }

    /// Instances stay while the daemon is away; those that it does not report again after its restart are lost after a
    /// while.
    @Test func aRestartIsNoFlap() throws {
        var machine = machine()
        let home = try resolve(&machine)
        let lost = machine.lost(BackendError(.unknown), now: now)
        #expect(vanished(lost) == [])
        #expect(machine.running.isEmpty)
        _ = machine.started(now: now)
        let back = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        #expect(sightings(back) == [])
        #expect(vanished(machine.tick(now: now + machine.limits.returnTimeout)) == [])
        #expect(machine.paths.count == 1)

        _ = machine.lost(BackendError(.unknown), now: now)
        _ = machine.started(now: now)
        #expect(vanished(machine.tick(now: now + machine.limits.returnTimeout)) == [.missingAfterRestart])
    }

    @Test func otherInterfacesAreLeftOut() throws {
        var machine = machine(interfaces: ["eth1"])
        _ = machine.started(now: now)
        #expect(sightings(machine.instanceChanged(try name("a"), isAdded: true, interface: 2, now: now)) == [])
        #expect(sightings(machine.instanceChanged(try name("a"), isAdded: true, interface: 3, now: now)).count == 1)
    }

    @Test func instancesAreCappedAndThatIsToldOnce() throws {
        var limits = BrowseLimits()
        limits.paths = 2
        var machine = machine(limits)
        _ = machine.started(now: now)
        var warnings = 0
        for number in 0..<10 {
            let actions = machine.instanceChanged(try name("s\(number)"), isAdded: true, interface: 2, now: now)
            warnings += events(actions).count { if case .warning = $0 { true } else { false } }
        }
        #expect(machine.paths.count == 2)
        #expect(warnings == 1)
    }

    @Test func hostileHostNamesResolveNothing() throws {
        var machine = machine()
        let home = try name("home")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        for host in ["", "..", String(repeating: "a", count: 5_000)] {
            _ = machine.receive(answer(host), from: .resolve(home, interface: 2), now: now)
            #expect(machine.hosts.isEmpty)
        }
    }

    @Test func ourOwnAreKnown() throws {
        var machine = machine()
        _ = machine.started(now: now)
        let actions = machine.instanceChanged(try name("ours"), isAdded: true, interface: 2, now: now)
        #expect(sightings(actions).first?.isOurs == true)
    }

    @Test func aLookIsOverWhenNothingIsAskedAnyLonger() throws {
        var machine = machine()
        #expect(events(machine.started(now: now)).contains(.activity(.busy)))
        let actions = machine.tick(now: now + machine.limits.firstAnswer)
        #expect(events(actions) == [.activity(.idle)])
    }

    /// A sighting contains the host's addresses of both families, since the library does not report the family of a
    /// service.
    @Test func theAddressesAreThoseOfBothFamilies() throws {
        var machine = machine()
        let home = try resolve(&machine)
        let host = try DomainName(escaped: "h1.local")
        let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        _ = machine.receive(
            .record(isAdded: true, data: linkLocal),
            from: .addresses(host, .ipv6, interface: 2),
            now: now
        )
        let reported = try #require(machine.paths[InstanceKey(instance: home, interface: 2)]?.reported)
        #expect(reported.addresses.map(\.description) == ["10.0.0.1", "fe80::1%eth0"])
    }

    /// The number of addresses is limited, since a host can claim any number.
    @Test func addressesAreCapped() throws {
        var machine = machine()
        let home = try resolve(&machine)
        let host = try DomainName(escaped: "h1.local")
        for number in 0..<200 {
            _ = machine.receive(
                .record(isAdded: true, data: [0x20, 1] + [UInt8](repeating: 0, count: 13) + [UInt8(number)]),
                from: .addresses(host, .ipv6, interface: 2),
                now: now
            )
        }
        let reported = try #require(machine.paths[InstanceKey(instance: home, interface: 2)]?.reported)
        #expect(reported.addresses.count == machine.limits.addresses)
    }

    /// A look-up that gets no reference, because other browses and publications hold them all, waits until one is free;
    /// a watch on a TXT record is left out instead.
    @Test func aQuestionWithoutAReferenceWaitsForOne() throws {
        var machine = machine()
        let home = try resolve(&machine)
        machine.refused(.text(home, interface: 2))
        _ = machine.instanceChanged(try name("a"), isAdded: true, interface: 2, now: now)
        machine.refused(.resolve(try name("a"), interface: 2))
        #expect(started(machine.instanceChanged(try name("b"), isAdded: true, interface: 2, now: now)) == [])
        #expect(
            started(machine.referenceFreed(now: now)) == [
                .resolve(try name("a"), interface: 2), .resolve(try name("b"), interface: 2),
            ]
        )
    }

    /// Reports come before new look-ups, which may have to wait for a frozen daemon.
    @Test func whatIsKnownIsToldBeforeAnythingIsAsked() throws {
        var machine = machine()
        _ = machine.started(now: now)
        let actions = machine.instanceChanged(try name("home"), isAdded: true, interface: 2, now: now)
        guard case .report = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(started(actions).count == 1)
    }

    /// The rounds that refresh known instances do not make the browse busy, since a scan would otherwise never end.
    @Test func askingAgainIsNoActivity() throws {
        var machine = machine()
        let home = try resolve(&machine)
        _ = machine.tick(now: now + .seconds(3))
        let actions = machine.tick(now: now + machine.limits.refreshInterval)
        #expect(started(actions) == [.resolve(home, interface: 2)])
        #expect(events(actions) == [])
    }

    /// A host without an address is asked for again long before the next round, since its answer may have been lost.
    @Test func aHostWithoutAnAddressIsAskedAgain() throws {
        var machine = machine()
        let home = try name("home")
        let host = try DomainName(escaped: "h1.local")
        _ = machine.started(now: now)
        _ = machine.instanceChanged(home, isAdded: true, interface: 2, now: now)
        _ = machine.receive(answer(), from: .resolve(home, interface: 2), now: now)
        let late = now + machine.limits.addressTimeout
        guard case .failed = sightings(machine.tick(now: late)).last?.resolution else {
            Issue.record("not failed")
            return
        }
        let again = late + machine.limits.retryInterval
        #expect(started(machine.tick(now: again)) == [.resolve(home, interface: 2)])
        #expect(
            Set(started(machine.receive(answer(), from: .resolve(home, interface: 2), now: again))) == [
                .addresses(host, .ipv4, interface: 2), .addresses(host, .ipv6, interface: 2),
            ]
        )
    }
}
