import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// When a gateway is asked whether it can do its work, and what the map shows of that.
@Suite struct ReadinessTests {
    private let endpoint = Samples.endpoint(1)

    private func answering(
        _ dialect: GatewayDialect = .openClaw,
        _ said: ReadinessCheck.Result = .said(.ready),
        _ configuration: ScannerConfiguration = ScannerConfiguration()
    ) -> ScanDrive {
        var drive = ScanDrive(configuration)
        drive.network.readiness[endpoint] = said
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        drive.run(for: .seconds(7))
        return drive
    }

    @Test func anOpenClawGatewayIsAskedOnceAMinute() {
        var drive = answering()
        #expect(drive.readinessAsked.count == 1)
        #expect(drive.map.gateways.first?.readiness == .ready)
        drive.run(for: .seconds(240))
        #expect((4...6).contains(drive.readinessAsked.count), "\(drive.readinessAsked.count)")
        #expect(!drive.state.isIdle || drive.state.progress.remaining == 0)
    }

    /// One that is looked at once is asked once, and the look waits for that.
    @Test func aScanAsksOnce() {
        var drive = answering(.openClaw, .said(.starting), ScannerConfiguration(watches: false))
        drive.run(for: .seconds(300))
        #expect(drive.readinessAsked.count == 1)
        #expect(drive.map.gateways.first?.readiness == .starting)
    }

    @Test(arguments: GatewayDialect.allCases.filter { $0 != .openClaw })
    func othersAreNotAsked(dialect: GatewayDialect) {
        var drive = answering(dialect, .said(.starting))
        drive.run(for: .seconds(130))
        #expect(drive.readinessAsked.isEmpty)
        #expect(drive.map.gateways.first?.readiness == nil)
    }

    /// The return of one that is not ready is seen soon; what it does not say is not known, and neither is that of one
    /// that has left two questions unanswered.
    @Test func whatItSaysIsFollowed() {
        var drive = answering(.openClaw, .said(.failing(["discord"])))
        #expect(drive.map.gateways.first?.readiness == .failing(["discord"]))
        drive.network.readiness[endpoint] = .said(.ready)
        drive.run(for: .seconds(16))
        #expect(drive.map.gateways.first?.readiness == .ready)
        drive.network.readiness[endpoint] = .silent
        drive.run(for: .seconds(61))
        #expect(drive.map.gateways.first?.readiness == .ready)
        drive.run(for: .seconds(20))
        #expect(drive.map.gateways.first?.readiness == nil)
        drive.network.readiness[endpoint] = .said(.starting)
        drive.run(for: .seconds(61))
        #expect(drive.map.gateways.first?.readiness == .starting)
        drive.network.readiness[endpoint] = .unsaid
        drive.run(for: .seconds(61))
        #expect(drive.map.gateways.first?.readiness == nil)
    }

    /// The readiness that a gateway has reported ends with it, and the next gateway is asked at once.
    @Test func itEndsWithTheGateway() {
        var drive = answering(.openClaw, .said(.draining))
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(15))
        #expect(drive.map.gateways.first?.liveness == .gone && drive.map.gateways.first?.readiness == nil)
        let before = drive.readinessAsked.count
        drive.run(for: .seconds(120))
        #expect(drive.readinessAsked.count == before)
        drive.network.readiness[endpoint] = .said(.ready)
        drive.listenEverywhere(.gateway(SampleGateway(dialect: .openClaw)))
        drive.run(for: .seconds(70))
        #expect(drive.map.gateways.first?.readiness == .ready)
        drive.listenEverywhere(.gateway(SampleGateway("f", dialect: .optaplus)))
        drive.run(for: .seconds(70))
        #expect(drive.map.gateways.allSatisfy { $0.readiness == nil })
        #expect(!drive.state.readiness.contains(endpoint))
    }

    /// A session shows that a gateway is alive, and not that its channels are.
    @Test func oneWithASessionIsAskedToo() {
        var drive = ScanDrive()
        drive.network.readiness[endpoint] = .said(.failing([]))
        let identity = GatewayIdentity(dialect: .openClaw)
        drive.state.emit(.probed(endpoint, .gateway(identity)))
        drive.noteSession(.answering, at: endpoint, identity)
        drive.run(for: .seconds(1))
        #expect(drive.map.gateways.first?.readiness == .failing([]))
        drive.noteSession(nil, at: endpoint)
        #expect(!drive.state.readiness.contains(endpoint))
        #expect(drive.map.gateways.first?.readiness == nil)
    }

    /// The pause between two questions holds for a gateway that is forgotten and found again, over and over, too.
    @Test func oneThatFlapsIsAskedNoMoreOften() {
        var drive = ScanDrive()
        drive.network.readiness[endpoint] = .said(.ready)
        let identity = GatewayIdentity(dialect: .openClaw)
        drive.state.emit(.probed(endpoint, .gateway(identity)))
        for _ in 0..<40 {
            drive.noteSession(.answering, at: endpoint, identity)
            drive.run(for: .milliseconds(250))
            drive.noteSession(nil, at: endpoint)
            drive.run(for: .milliseconds(250))
        }
        // Twenty seconds.
        #expect((2...5).contains(drive.readinessAsked.count), "\(drive.readinessAsked.count)")
    }

    /// Questions wait within the budget of their address, and none is left in it.
    @Test func theBudgetIsKept() {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(dialect: .openClaw)))
        for number in 0..<60 {
            let name = "S\(number)"
            drive.apply(.found(Samples.service(name, at: [Samples.address(1)], port: UInt16(4_000 + number))))
        }
        drive.run(for: .seconds(150))
        for number in 0..<60 {
            drive.apply(
                .lost(Samples.service("S\(number)", at: [Samples.address(1)], port: UInt16(4_000 + number)), .withdrawn)
            )
        }
        drive.listenEverywhere(.refusal)
        drive.run(for: .seconds(150))
        #expect(drive.state.budget.waiting == 0 && drive.state.readiness.runningCount == 0)
        #expect(drive.state.isIdle)
    }
}
