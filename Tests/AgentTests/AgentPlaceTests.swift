import Glibc
import Testing

@testable import Agent

@Suite struct AgentPlaceTests {
    /// The group of a service of the system shares its place, and nobody that of a user.
    @Test func aUsersPlaceIsNotShared() {
        let user = AgentPlace(environment: ["XDG_RUNTIME_DIR": "/run/user/7", "RUNTIME_DIRECTORY": "/run/user/7/other"])
        #expect(user == AgentPlace(folder: "/run/user/7/clawradar"))
        #expect(!user.isShared)
        let service = AgentPlace(environment: ["RUNTIME_DIRECTORY": "/run/clawradar:/run/other"])
        #expect(service == AgentPlace(folder: "/run/clawradar", isShared: true))
        #expect(service.socket == "/run/clawradar/agent.sock")
        let other = AgentPlace(folder: "/tmp/clawradar-\(geteuid())")
        for environment in [[:], ["XDG_RUNTIME_DIR": "relative"], ["RUNTIME_DIRECTORY": "relative"]] {
            #expect(AgentPlace(environment: environment) == other)
        }
    }
}
