import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import Glibc

/// Publishes many services at once in a zone, as the agent of a site does, prints how many milliseconds that took, and withdraws
/// them two seconds later.
///
/// Usage: `test-tool zone-publication COUNT DOMAIN ADDRESS PORT KEYNAME SECRET`, the secret in Base64.
enum ZonePublication {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 6, let count = Int(arguments[0]), let address = IPAddress(arguments[2]),
            let port = UInt16(arguments[3]), let secret = Base64.standard.decode(arguments[5])
        else {
            throw BackendError(.refused, "usage: test-tool zone-publication COUNT DOMAIN ADDRESS PORT KEYNAME SECRET")
        }
        let key = SharedKey(Secret(bytes: secret))
        let configuration = ZoneConfiguration(
            domain: try DomainName(escaped: arguments[1]),
            signer: TransactionSigner(name: try DomainName(escaped: arguments[4])) { key.code(for: $0) },
            server: Endpoint(address: address, port: port),
            owner: "bench"
        )
        let services = try (0..<count).map { number in
            ZoneService(
                name: "Gateway \(number)",
                types: [try ServiceType("_openclaw._tcp")],
                port: 3_000,
                txt: try TXTRecord([("name", "Gateway \(number)"), ("bots", "3")]),
                host: "host-\(number)",
                addresses: [.v4(IPv4Address(bits: 0x0A01_0000 + UInt32(number)))]
            )
        }
        let backend = try ZoneBackend(configuration)
        let (sets, source) = AsyncStream.makeStream(of: [Int: ZoneService].self)
        let (published, publishes) = AsyncStream.makeStream(of: Void.self)
        let began = ContinuousClock.now
        let keeping = Task {
            await backend.keep(sets) { error in
                if let error { say("trouble: \(error)") } else { publishes.yield() }
            }
        }
        source.yield(Dictionary(uniqueKeysWithValues: services.enumerated().map { ($0.offset, $0.element) }))
        // Each is reported once.
        var left = count
        for await _ in published {
            left -= 1
            if left == 0 { break }
        }
        say("published \(Int((ContinuousClock.now - began) / .milliseconds(1)))")
        try await Task.sleep(for: .seconds(2))
        keeping.cancel()
        await keeping.value
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
