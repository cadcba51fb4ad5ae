import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Scanning
import TestSupport
import Testing

// The code from here to the suite repeats the listings of Sources/Scanning/Scanning.docc word for word. Change both
// together.

func gateways(on backend: any ServiceBackend, within time: Duration) async -> [Gateway] {
    let browser = Browser(BrowserConfiguration(types: ServiceType.gatewayTypes), backend: backend)
    let scanner = GatewayScanner(ScannerConfiguration(watches: false), browser: browser)
    return await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await scanner.run() }
        await scanner.settle(quiet: .seconds(1), deadline: .now + time)
        let gateways = await scanner.constellation.gateways
        group.cancelAll()
        return gateways
    }
}

func watch(_ scanner: GatewayScanner, report: (String) -> Void) async {
    for await update in scanner.constellation.updates {
        switch update {
        case .snapshot(let snapshot):
            report("\(snapshot.gateways.count) gateways")
        case .change(.found(let gateway), _), .change(.changed(let gateway, _), _):
            let bots = gateway.bots.map { DisplayText($0.name).text }
            report("\(DisplayText(gateway.name)): \(gateway.liveness?.rawValue ?? "not asked") \(bots)")
        case .change(.lost(let gateway), _):
            report("\(DisplayText(gateway.name)) is gone")
        case .change(.joined(let gateway, into: let other), _):
            report("\(DisplayText(gateway.name)) is \(other)")
        case .change(.problem(let problem), _):
            report("\(problem)")
        @unknown default: break
        }
    }
}

func named(_ endpoints: [Endpoint]) -> ScannerConfiguration {
    ScannerConfiguration(manualGateways: [ManualGateway(endpoints: endpoints, reach: .remote, transports: .tlsFirst)])
}

/// The listings of the guide compile, and do what the guide says.
@Suite(.timeLimit(.minutes(1))) struct GuideTests {
    private let backend = FakeBackend()

    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Scanning")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    /// A single scan ends by its deadline and stops the browser.
    @Test func lookingLeavesNothingBehind() async {
        #expect(await gateways(on: backend, within: .zero).isEmpty)
        #expect(!backend.isRunning)
    }

    /// A gateway that the user entered has a row before it is asked, and the loop of the listing ends when the
    /// constellation finishes.
    @Test func watchingTellsOfWhatWasNamed() async throws {
        let endpoint = Samples.endpoint(1)
        #expect(named([endpoint]).manualGateways.map(\.endpoints) == [[endpoint]])
        let scanner = GatewayScanner(browser: Browser(BrowserConfiguration(types: [.openClaw]), backend: backend))
        let isReported = AsyncStream.makeStream(of: Void.self)
        var lines: [String] = []
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in isReported.stream { break }
                await scanner.constellation.apply(.endpointAdded(endpoint, .remote))
                await scanner.constellation.finish()
            }
            await watch(scanner) {
                lines.append($0)
                isReported.continuation.yield()
            }
        }
        #expect(lines == ["0 gateways", "10.0.0.1:3000: not asked []"])
    }
}
