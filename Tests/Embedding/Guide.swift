import Clawradar

// The listings of Sources/Clawradar/Clawradar.docc, word for word. Change both together.

func watch(_ show: @Sendable (Gateway) -> Void) async throws {
    let scanner = try GatewayScanner(limits: EmbeddingLimits(services: 1_000))
    await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await scanner.run() }
        for await update in scanner.constellation.updates {
            if let gateway = gateway(in: update) { show(gateway) }
        }
    }
}

func gateway(in update: MapUpdate) -> Gateway? {
    switch update {
    // A row is there as soon as it is advertised, and becomes a gateway when it has answered as one.
    case .change(.found(let row), _), .change(.changed(let row, _), _): row.classification == .gateway ? row : nil
    case .change(.lost, _), .change(.joined, _), .change(.problem, _), .snapshot: nil
    @unknown default: nil
    }
}

func advertise(port: UInt16) async throws {
    let advertiser = try GatewayAdvertiser(port: port)
    try await advertiser.run()
}
