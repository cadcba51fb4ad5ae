import Clawradar

/// Advertises the gateway that listens on a port of this host for as long as it answers, and withdraws it at Ctrl-C.
@main
struct AdvertiseGateway {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 3_000
        let advertiser = try GatewayAdvertiser(port: port)
        try await runUntilSignal(advertiser) {
            for await state in advertiser.states {
                switch state {
                case .asking: print("asking …")
                case .withheld(let reason): print("not advertised: \(DisplayText(reason))")
                case .advertising(.published(let name)): print("published as “\(DisplayText(name))”")
                case .advertising, .ended: break
                case .failed(let error): throw error
                // Later versions may have further states.
                @unknown default: break
                }
            }
        }
        print("withdrawn")
    }
}
