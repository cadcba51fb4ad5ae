import Clawradar

// A listing of the README, word for word: change both together.

func watchGateways() async throws {
    let scanner = try Scanner()
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await scanner.run() }  // until cancelled
        for await update in scanner.constellation.updates {
            guard case .change(.changed(let gateway, let aspects), _) = update, aspects.contains(.liveness),
                let liveness = gateway.liveness, let path = gateway.paths.first
            else { continue }
            print("\(DisplayText(gateway.name)) at \(path.endpoint): \(liveness)")
        }
    }
}
