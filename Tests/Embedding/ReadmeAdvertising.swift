import Clawradar

// A listing of the README, word for word: change both together.

func advertise() async throws {
    let advertiser = try GatewayAdvertiser(port: 3000)
    try await advertiser.run()  // until cancelled; `advertiser.states` tells how it goes
}
