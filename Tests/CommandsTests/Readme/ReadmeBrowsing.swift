import Clawradar

// A listing of the README, word for word: change both together.

func watchGateways() async throws {
    let scanner = try Scanner()
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await scanner.run() }  // until cancelled
        for await case .change(.changed(let gateway, let aspects), _) in scanner.constellation.updates
        where aspects.contains(.liveness) {
            print(DisplayText(gateway.name), gateway.liveness?.rawValue ?? "not known")
        }
    }
}
