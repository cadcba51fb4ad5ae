internal import Scanning

/// The gateways that a scanner asks though nothing advertises them, from several sources that each know only their own.
actor AskedGateways {
    /// A source of such gateways.
    enum Source: Hashable {
        /// The settings of the user.
        case settings

        /// The store of pairings.
        case pairings

        /// The addresses to which the host names of pairings lead now.
        case names

        /// The sockets on which programs of this host listen.
        case thisHost

        /// The machines of the tailnet.
        case tailnet
    }

    private let scanner: GatewayScanner
    private var wanted: [Source: Set<ManualGateway>] = [:]
    private var asked: Set<ManualGateway> = []
    private var isChanging = false

    init(_ scanner: GatewayScanner) {
        self.scanner = scanner
    }

    /// Replaces the gateways of a source. One that another source names, too, goes on being asked.
    func set(_ gateways: Set<ManualGateway>, of source: Source) async {
        wanted[source] = gateways
        // One at a time: what an earlier call has begun must not undo what a later one does.
        guard !isChanging else { return }
        isChanging = true
        defer { isChanging = false }
        while true {
            let all = wanted.values.reduce(into: Set<ManualGateway>()) { $0.formUnion($1) }
            if let gateway = asked.subtracting(all).first {
                asked.remove(gateway)
                await scanner.remove(gateway)
            } else if let gateway = all.subtracting(asked).first {
                asked.insert(gateway)
                await scanner.add(gateway)
            } else {
                return
            }
        }
    }
}
