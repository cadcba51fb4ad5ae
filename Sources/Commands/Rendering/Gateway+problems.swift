internal import Constellation
internal import DNSSD
internal import GatewayProtocol

extension Gateway {
    /// Indicates whether it has answered as a gateway, or is paired: any other row is something else on a gateway's
    /// type.
    var isGateway: Bool { isPaired || paths.contains { $0.outcome?.identity != nil } }

    /// Indicates whether it is known what the row is: a gateway as soon as one path has answered as one, and no gateway
    /// once all its paths have been asked, or wait to be.
    var isDecided: Bool {
        isGateway || !paths.isEmpty && paths.allSatisfy { $0.outcome != nil || $0.waiting != nil }
    }

    /// Returns the problems with its paths and its advertisements; not cleaned.
    ///
    /// - Parameter services: The services that lead to it.
    func problems(of services: [Service]) -> [String] {
        let ofPaths = paths.compactMap { path -> String? in
            if path.contradicts { return "\(path.endpoint) answers as another gateway" }
            switch path.outcome {
            case .somethingElse(let answer): return "\(path.endpoint) is \(answer.summary)"
            // One that is silent while another answers is nothing to worry about: many gateways advertise such addresses.
            case .nothing(let reason): return liveness == .answering ? nil : "\(path.endpoint): \(reason)"
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

extension GatewayPath {
    /// Indicates whether a gateway has answered on it.
    var isAnswered: Bool { outcome?.identity != nil }

    /// That it has not been asked, and why.
    var notAskedText: String { waiting.map { "not asked yet: \($0)" } ?? "not asked yet" }
}
