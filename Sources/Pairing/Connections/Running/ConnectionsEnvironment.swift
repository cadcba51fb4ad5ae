internal import DNSSD
internal import GatewayProtocol
internal import HostSystem

/// The environment of the sessions: clocks, randomness and the network of this host. Tests replace it.
struct ConnectionsEnvironment: Sendable {
    /// The clock of everything that is due at a time.
    var clock: any MonotonicClock

    /// Returns the time that this host was awake; `nil` if its sleep is not to be detected.
    var awake: (@Sendable () -> SuspendingClock.Instant)?

    /// Returns the time in milliseconds since 1970.
    var wallTime: @Sendable () -> Int

    /// Returns the network that leads to an address, as far as the kernel knows it.
    var network: @Sendable (IPAddress) -> NetworkObservation?

    /// Returns the same, once the kernel has reached the neighbours that matter, and with the machine of the tailnet.
    var settledNetwork: @Sendable (IPAddress) async -> NetworkObservation?

    /// Returns the changes of this host's network.
    var networkChanges: @Sendable () -> AsyncStream<Void>

    /// The seed of the generators.
    var seed: UInt64

    /// Returns the network that leads to an address, with the machine of the tailnet that has it by the word of the tailnet's
    /// service at this moment; `nil` if the trust policy does not ask for it.
    func asked(about address: IPAddress, for trust: TrustPolicy) async -> NetworkObservation? {
        guard case .tailnet = trust else { return nil }
        return await settledNetwork(address)
    }

    /// Waits until a time, or until the task is cancelled.
    func sleep(until time: ContinuousClock.Instant) async {
        try? await clock.sleep(until: time, tolerance: nil)
    }

    /// Returns the environment of this host.
    static func system() -> ConnectionsEnvironment {
        ConnectionsEnvironment(
            clock: ContinuousClock(),
            awake: { .now },
            wallTime: { WallClock.milliseconds },
            network: { NetworkObservation.current(to: $0) },
            settledNetwork: { await NetworkObservation.settled(to: $0) },
            networkChanges: { NetworkChanges.stream() },
            seed: .random(in: .min ... .max)
        )
    }
}

/// SplitMix64: one generator for each session. Nothing secret depends on it.
struct SessionGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
