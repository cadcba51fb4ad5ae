import DNSSD
import Discovery
import GatewayProtocol

// A listing of the README, word for word: whoever changes one changes the other.

func watchGateways() async throws {
    let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: try Backends.system())
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await browser.run() }  // until cancelled
        for await change in browser.changes {
            guard case .found(let service) = change else { continue }
            let gateway = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
            print("found \(DisplayText(gateway.name)) at \(service.addresses)")
        }
    }
}
