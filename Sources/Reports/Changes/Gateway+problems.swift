package import DNSSD
package import GatewayProtocol
package import Scanning

extension Gateway {
    /// Indicates whether the row has answered as a gateway, or is paired. Any other row is something else that is
    /// advertised or was typed in.
    package var isGateway: Bool { classification == .gateway }

    /// Indicates whether the row can be reported: either it is known what it is, or each of its paths has an outcome or
    /// a reason why it has not been asked yet.
    package var isDecided: Bool {
        classification != .undecided
            || !paths.isEmpty && paths.allSatisfy { $0.outcome != nil || $0.waiting != nil }
    }

    /// The problems with the row's paths and its advertisements. They are not cleaned.
    package var problems: [String] {
        let ofPaths = paths.compactMap { path -> String? in
            if path.contradicts { return "\(path.endpoint) answers as another gateway" }
            // While the gateway answers at its own place, whatever else a record leads to is of no interest.
            if path.isHearsay, path.isAnswer, liveness != .answering {
                return "\(path.endpoint) answers as it, and proves nothing"
            }
            // Another address of the machine of the pairing is no such place.
            if path.isElsewhere, path.isAnswered, flags.contains(.elsewhere) {
                return "\(path.endpoint) is another place than that of the pairing, and proves nothing"
            }
            if let status = path.frontStatus, liveness != .answering {
                return "\(path.endpoint): \(NoAnswer.noGateway(status: status))"
            }
            switch path.outcome {
            case .somethingElse(let answer): return "\(path.endpoint) is \(answer.summary)"
            // A silent path is no problem while another one answers: many gateways advertise unreachable addresses.
            case .nothing(let reason): return liveness == .answering ? nil : "\(path.endpoint): \(reason)"
            case .gateway, nil: return nil
            }
        }
        let ofServices = discoveredServices.flatMap { service in
            GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord()).problems.map { "\($0)" }
        }
        var seen: Set<String> = []
        return (ofPaths + ofServices).filter { seen.insert($0).inserted }
    }
}

extension Gateway {
    /// The reason why the row is not a gateway, as text for people; cleaned.
    package var reasonForNoGateway: String {
        // A path on which something answered explains more than one on which nothing did.
        let answers = paths.compactMap(\.outcome)
        for case .somethingElse(let answer) in answers {
            let quote = answer.firstLine.map { ": \(DisplayText($0.text, limit: 48).quoted)" } ?? ""
            return "\(DisplayText(answer.summary, limit: 80))\(quote)"
        }
        for case .nothing(let reason) in answers { return "\(reason)" }
        let obstacles = discoveredServices.compactMap(\.resolution.obstacle)
        if paths.isEmpty, let obstacle = obstacles.first { return "not resolved: \(DisplayText(sentence: obstacle))" }
        return paths.first { $0.waiting != nil }?.notAskedText ?? "not asked yet"
    }
}

extension GatewayPath {
    /// Indicates whether a gateway has answered on this path.
    var isAnswered: Bool { outcome?.identity != nil }

    /// A text that says that this path has not been asked, and why if that is known.
    var notAskedText: String { waiting.map { "not asked yet: \($0)" } ?? "not asked yet" }
}

extension ForeignAnswer {
    /// The first line of the answer, cleaned; `nil` when that line is empty.
    package var firstLine: DisplayText? {
        let line = firstBytes.prefix { $0 >= 0x20 }
        return line.isEmpty ? nil : DisplayText(String(decoding: line, as: UTF8.self), limit: Self.maximumBytes)
    }
}

extension Resolution {
    /// The reason why the service cannot be connected to; `nil` when it can.
    package var obstacle: String? {
        switch self {
        case .resolved: nil
        case .resolving: "still being resolved when the time was up"
        case .failed(let reason): reason
        }
    }
}
