import DNSSD
import HostSystem
import Testing

@testable import Avahi

/// The connection that all backends of a process share.
@Suite(.timeLimit(.minutes(1))) struct AvahiBackendTests {
    private let connections = AvahiBackend.Connections()

    private func backend(_ configuration: AvahiConfiguration = AvahiConfiguration()) -> AvahiBackend {
        AvahiBackend(
            configuration: configuration,
            logger: nil,
            clock: ContinuousClock(),
            connections: connections
        )
    }

    /// Uses the backend's connection, and records an issue if it cannot be created.
    private func use(_ backend: AvahiBackend, _ body: (AvahiConnection) async -> Void) async {
        await backend.withConnection(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// Backends of equal settings have one connection, and so one thread, which ends with the last user of all of them.
    /// Other settings have a connection of their own.
    @Test func backendsOfEqualSettingsShareOneConnection() async {
        let backends = (0..<200).map { _ in backend() }
        weak var ended: AvahiConnection?
        await use(backends[0]) { first in
            ended = first
            for backend in backends { await use(backend) { #expect($0 === first) } }
            await use(backend(AvahiConfiguration(maximumInstances: 7))) { #expect($0 !== first) }
            await use(backends[1]) { #expect($0 === first, "the others' ends have not ended it") }
        }
        #expect(ended == nil, "nothing keeps a connection that nobody uses")
    }
}
