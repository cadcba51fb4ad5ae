import Agent
import Clawradar
import Foundation

// The listings in *Usage* sections of doc comments of public types, word for word. `UsageTests` compares them: change both
// together.

enum Usages {
    static func advertisingAGateway() async throws {
        let advertiser = try GatewayAdvertiser(port: 3000)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await advertiser.run() }
            for await state in advertiser.states {
                if case .withheld(let reason) = state { print("not advertised: \(reason)") }
            }
        }
    }

    static func runningAnAgent() async throws {
        let agent = Agent(AgentConfiguration(version: "1.0", environment: ProcessInfo.processInfo.environment))
        try await runUntilSignal(agent) {
            for await gateways in agent.constellation.currentGateways { print(gateways.map(\.name)) }
        }
    }

    static func changingSettings(_ agent: Agent) throws {
        let home = "advertise: [{gateway: 'localhost:18789', name: Home}]"
        let told = "notify: {quiet-hours: '22:00-07:00', sinks: [{name: desk, desktop: true}]}"
        var settings = try AgentSettings(yaml: "\(home)\n\(told)")
        settings.gateways = [try ProbeAddress("192.168.1.50:3000")]
        agent.take(settings)
    }

    static func askingByAnAgent(_ agent: Agent) async throws {
        for pairing in try agent.store?.pairings() ?? [] {
            for credential in pairing.credentials {
                try await agent.withSession(of: credential.id, within: .seconds(10)) { session in
                    print(try await session.request("gateway.discover").outcome.get() ?? .null)
                }
            }
        }
    }

    static func enteringAGateway(_ scanner: GatewayScanner) async throws {
        try await scanner.add(ProbeAddress("192.168.1.50:3000"))
        try await scanner.add(ProbeAddress(orHost: "studio.example.org"))
    }

    static func runningUntilASignal() async throws {
        let scanner = try GatewayScanner()
        try await runUntilSignal(scanner) {
            for await gateways in scanner.gateways { print(gateways.map(\.name)) }
        }
    }

    static func connecting(_ store: PairingStore, _ scanner: GatewayScanner) async throws {
        let connections = Connections(store: store, constellation: scanner.constellation)
        async let running: Void = connections.run()
        for await event in connections.events {
            if case .changed(let session) = event { print(session.gatewayName, session.state) }
        }
        try await running
    }

    static func asking(_ connections: Connections, _ credential: CredentialID) async throws {
        try await connections.withSession(of: credential) { session in
            let answer = try await session.request("gateway.discover", params: .object([:]))
            print(try answer.outcome.get() ?? .null)
            for try await event in session.events { print(event.name) }
        }
    }

    static func followingAConstellation(_ scanner: GatewayScanner) async {
        for await update in scanner.constellation.updates {
            switch update {
            case .snapshot(let snapshot): print("\(snapshot.gateways.count) gateways")
            case .change(let change, _): print(change)
            @unknown default: break
            }
        }
    }

    static func mistyping() {
        do {
            _ = try ServiceType("openclaw._tcp")
        } catch {
            print(error.message)  // "… Did you mean _openclaw._tcp?"
        }
    }

    static func recording() throws {
        var record = TXTRecord()
        try record.set("Home Gateway", forKey: "name")
        print(record.string(forKey: "NAME") ?? "")  // "Home Gateway"
    }

    static func showing(_ service: DiscoveredService) {
        print("found \(DisplayText(service.instance.name, limit: 40))")
    }

    static func advertising() async throws {
        let advertiser = try Advertiser(name: "Home Gateway", type: "_openclaw._tcp", port: 3000)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await advertiser.run() }
            for await state in advertiser.states {
                print(state)
            }
        }
    }

    static func browsingForOneType() async throws {
        let browser = try Browser(type: "_ipp._tcp")
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await browser.run() }
            for await services in browser.currentServices {
                print(services.map { "\(DisplayText($0.instance.name)) at \($0.addresses)" })
            }
        }
    }

    static func advertisingOneService() async throws {
        let advertiser = try Advertiser(name: "Front Desk", type: "_ipp._tcp", port: 631)
        try await advertiser.run()
    }

    static func browsing() async throws {
        let browser = try Browser(type: "_openclaw._tcp")
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await browser.run() }
            for await change in browser.changes {
                print(change)
            }
        }
    }

    static func keepingASecret() -> JSONValue {
        let token = Secret("0123")
        print("paired with \(token)")  // "paired with <secret>"
        let auth = JSONValue.object(["token": .secret(token)])
        return auth
    }

    /// Somebody who decides.
    struct User: Sendable {
        func agrees(to offer: PairingOffer) async -> Bool { false }
    }

    static func pairing(
        _ gateway: Gateway,
        _ store: PairingStore,
        _ constellation: Constellation,
        _ user: User
    ) async throws -> PairingID? {
        let coordinator = PairingCoordinator(store: store, constellation: constellation)
        guard let target = PairingTarget(gateway) else { return nil }
        let id = try await coordinator.pair(target) { state in
            guard case .confirming(let offer) = state else { return nil }
            return await user.agrees(to: offer) ? .confirm(PairingConsent()) : .cancel
        }
        return id
    }

    static func listingPairings() throws {
        let store = try PairingStore(.standard())
        for pairing in try store.pairings() {
            print(pairing.name, pairing.bots.map(\.name))
        }
    }

    static func scanning() async throws {
        let scanner = try GatewayScanner()
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            for await update in scanner.constellation.updates {
                print(update)
            }
        }
    }
}
