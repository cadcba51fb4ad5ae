internal import BotMap
internal import DNSSD
internal import GatewayProtocol

extension Gateway {
    /// Whether it has answered as a gateway, or is paired: what is neither is something else on a gateway's type.
    var isGateway: Bool { isPaired || paths.contains { $0.outcome?.identity != nil } }

    /// Whether it is known what it is.
    var isDecided: Bool { isPaired || paths.contains { $0.outcome != nil } }

    /// What is wrong with its paths and its advertisements; not cleaned.
    ///
    /// - Parameter services: The services that lead to it.
    func problems(of services: [Service]) -> [String] {
        let ofPaths = paths.compactMap { path -> String? in
            if path.contradicts { return "\(path.endpoint) answers as another gateway" }
            switch path.outcome {
            case .somethingElse(let answer): return "\(path.endpoint) is \(answer.summary)"
            case .nothing(let reason): return "\(path.endpoint): \(reason)"
            case .gateway, nil: return nil
            }
        }
        let ofServices = services.flatMap { service in
            GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord()).problems.map { "\($0)" }
        }
        var seen: Set<String> = []
        return (ofPaths + ofServices).filter { seen.insert($0).inserted }
    }
}
