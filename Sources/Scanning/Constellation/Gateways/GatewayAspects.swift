/// A set of ``GatewayAspect``s without the allocation that a `Set` would cost for each change.
struct GatewayAspects: OptionSet, Sendable {
    let rawValue: UInt16

    static let name = GatewayAspects(.name)
    static let fingerprint = GatewayAspects(.fingerprint)
    static let paths = GatewayAspects(.paths)
    static let services = GatewayAspects(.services)
    static let records = GatewayAspects(.records)
    static let bots = GatewayAspects(.bots)
    static let flags = GatewayAspects(.flags)
    static let liveness = GatewayAspects(.liveness)
    static let readiness = GatewayAspects(.readiness)
    static let identifier = GatewayAspects(.identifier)
    static let latency = GatewayAspects(.latency)

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    private init(_ aspect: GatewayAspect) {
        self.rawValue =
            switch aspect {
            case .name: 1 << 0
            case .fingerprint: 1 << 1
            case .paths: 1 << 2
            case .services: 1 << 3
            case .bots: 1 << 4
            case .flags: 1 << 5
            case .liveness: 1 << 6
            case .latency: 1 << 7
            case .records: 1 << 8
            case .readiness: 1 << 9
            case .identifier: 1 << 10
            }
    }

    /// The same aspects as a `Set`, for the public interface.
    var set: Set<GatewayAspect> { Self.sets[Int(rawValue)] }

    /// Every possible set, made once.
    private static let sets = (0..<UInt16(1 << GatewayAspect.allCases.count)).map { bits in
        Set(GatewayAspect.allCases.filter { GatewayAspects(rawValue: bits).contains(GatewayAspects($0)) })
    }
}
