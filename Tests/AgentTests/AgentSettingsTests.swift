import Pairing
import Scanning
import Testing

@testable import Agent

/// The settings that a program gives the agent that it embeds, and the sessions that it gets from it.
@Suite(.timeLimit(.minutes(1))) struct AgentSettingsTests {
    /// A program reads the text of a configuration, and changes what it read as a value.
    @Test func settingsAreReadAndChangedAsAValue() throws {
        let yaml = "gateways: [\"192.168.1.50:3000\"]\nnotify: {sinks: [{name: desk, desktop: true}]}"
        var settings = try AgentSettings(yaml: yaml)
        #expect(settings.gateways == [try ProbeAddress("192.168.1.50:3000")])
        #expect(settings.notices.sinks.map(\.name) == ["desk"])
        settings.notices.policy.quietHours = QuietHours("22:00-07:00")
        let configuration = AgentConfiguration(version: "1", environment: [:], settings: settings)
        #expect(configuration.settings == settings)
    }

    /// A mistake in the text is said with its line.
    @Test func aMistakeIsSaidWithItsLine() throws {
        let error = try #require(throws: ConfigurationError.self) { try AgentSettings(yaml: "gateways:\n- none\n") }
        #expect(error.problems.count == 1)
        #expect(error.description.contains("2"))
    }

    /// Settings of a program leave alone what only the tool has, and one gateway is advertised once however often it is there.
    @Test func whatOnlyTheToolHasStays() throws {
        var configuration = AgentConfiguration(version: "1", environment: [:])
        configuration.userSettings.interfaces = Setting(["eth0"], from: .standard)
        let gateway = try AdvertisedGateway(ProbeAddress("localhost:18789"), name: "Home")
        configuration.settings.advertised = [gateway, gateway]
        #expect(configuration.userSettings.interfaces.value == ["eth0"])
        #expect(configuration.settings.advertised == [gateway])
    }

    /// A request over a session of an agent that does not run waits no longer than it was told, nor for one that has ended.
    @Test func aSessionIsAwaitedWithinItsTime() async throws {
        let agent = Agent(AgentConfiguration(version: "1", environment: [:]))
        let credential = CredentialID()
        let late = await #expect(throws: SessionEnd.self) {
            try await agent.withSession(of: credential, within: .zero) { _ in }
        }
        #expect(late?.code == .lost)
        agent.sessionsPart.finish()
        let ended = await #expect(throws: SessionEnd.self) { try await agent.withSession(of: credential) { _ in } }
        #expect(ended?.code == .stopped)
    }
}
