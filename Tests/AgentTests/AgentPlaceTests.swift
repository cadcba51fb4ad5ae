import Glibc
import Testing

@testable import Agent

@Suite struct AgentPlaceTests {
    /// No environment opens the place of an agent to others.
    @Test func noPlaceIsSharedUnlessItIsSaid() {
        let user = AgentPlace(environment: ["XDG_RUNTIME_DIR": "/run/user/7", "RUNTIME_DIRECTORY": "/run/user/7/other"])
        #expect(user == AgentPlace(folder: "/run/user/7/clawradar"))
        #expect(!user.isShared)
        let service = AgentPlace(environment: ["RUNTIME_DIRECTORY": "/run/clawradar:/run/other"])
        #expect(service == AgentPlace(folder: "/run/clawradar"))
        #expect(!service.isShared)
        #expect(service.shared == AgentPlace(folder: "/run/clawradar", isShared: true))
        #expect(service.socket == "/run/clawradar/agent.sock")
        let other = AgentPlace(folder: "/tmp/clawradar-\(geteuid())")
        for environment in [[:], ["XDG_RUNTIME_DIR": "relative"], ["RUNTIME_DIRECTORY": "relative"]] {
            #expect(AgentPlace(environment: environment, usersFolder: "/nowhere", lasts: true) == other)
        }
    }

    /// An agent that cron starts is where the user's other programs look for it.
    @Test func withoutTheVariableItsFolderIsUsedIfItIsThere() throws {
        let users = "/tmp/clawradar-users-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let own = "\(users)/\(geteuid())"
        try #require(mkdir(users, 0o755) == 0 && mkdir(own, 0o700) == 0)
        defer {
            rmdir(own)
            rmdir(users)
        }
        func place(_ environment: [String: String] = [:], lasts: Bool = true) -> AgentPlace {
            AgentPlace(environment: environment, usersFolder: users, lasts: lasts)
        }
        #expect(place() == AgentPlace(folder: "\(own)/clawradar"))
        // What goes when the user logs out is no place for an agent that stays.
        #expect(place(lasts: false) == AgentPlace(folder: "/tmp/clawradar-\(geteuid())"))
        #expect(place(["RUNTIME_DIRECTORY": "/run/clawradar"]) == AgentPlace(folder: "/run/clawradar"))
        // One that others may enter is not of this user alone.
        try #require(chmod(own, 0o755) == 0)
        #expect(place() == AgentPlace(folder: "/tmp/clawradar-\(geteuid())"))
    }

    /// A group may enter a place that is shared; whoever could write there would put a socket in place of the agent's.
    @Test(
        arguments: [
            (0o700, true, true), (0o750, false, true), (0o710, false, true), (0o770, false, false),
            (0o755, false, false),
            (0o751, false, false), (0o752, false, false),
        ] as [(mode_t, Bool, Bool)]
    )
    func aFolderThatIsOpenToMoreIsRefused(mode: mode_t, isPrivate: Bool, isShareable: Bool) throws {
        let folder = "/tmp/clawradar-place-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try #require(mkdir(folder, 0o700) == 0 && chmod(folder, mode) == 0)
        defer {
            unlink("\(folder)/agent.lock")
            rmdir(folder)
        }
        for (place, isAllowed) in [
            (AgentPlace(folder: folder), isPrivate), (AgentPlace(folder: folder).shared, isShareable),
        ] {
            do throws(AgentError) {
                _ = try place.take()
                #expect(isAllowed, "\(place)")
            } catch {
                #expect(!isAllowed && error.code == .noPlace, "\(error)")
                #expect(error.description.contains("chmod 7"))
                #expect(error.description.contains("by --shared") == !place.isShared)
            }
        }
    }
}
