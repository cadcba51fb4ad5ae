import Discovery
import GatewayProtocol
import Pairing
import Scanning
import TestSupport
import Testing

/// The listings of the guide, which this suite repeats word for word so that they are compiled.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Pairing/Connections")
        #expect(!listings.isEmpty)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    func keepSessions(_ scanner: GatewayScanner, _ store: PairingStore, show: (SessionSnapshot) -> Void) async {
        let connections = Connections(store: store, constellation: scanner.constellation)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            group.addTask { try await connections.run() }
            for await event in connections.events {
                switch event {
                case .snapshot(let sessions): for session in sessions { show(session) }
                case .changed(let session): show(session)
                case .removed: break
                @unknown default: break
                }
            }
            group.cancelAll()
        }
    }

    func talk(with pairing: StoredPairing, over connections: Connections) async throws {
        for credential in pairing.credentials {
            do {
                try await connections.withSession(of: credential.id) { session in
                    let answer = try await session.request("ping", timeout: .seconds(5))
                    // Untrusted: clean it before a person sees it.
                    print(answer.outcome)
                    for try await event in session.events { print(event.name) }
                }
            } catch let end as SessionEnd {
                print("the session has ended: \(end)")
            }
        }
    }
}
