import Testing

@testable import PairingStore

@Suite struct StoreLocationTests {
    @Test func theHomeFolderIsTheLastResort() throws {
        let location = try StoreLocation.standard(environment: ["HOME": "/home/me"])
        #expect(location.database == "/home/me/.local/share/clawradar/pairings.sqlite")
        #expect(location.keyFile == "/home/me/.local/state/clawradar/sealing.key")
        #expect(location.keyCredential == nil)
    }

    @Test func theFoldersOfTheDesktopAreTaken() throws {
        let location = try StoreLocation.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"]
        )
        #expect(location.folder == "/data/clawradar")
        #expect(location.keyFile == "/state/clawradar/sealing.key")
    }

    /// The XDG Base Directory Specification: a relative path is not valid, and is ignored.
    @Test func relativePathsArePassedOver() throws {
        let location = try StoreLocation.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "", "STATE_DIRECTORY": "x"]
        )
        #expect(location.folder == "/home/me/.local/share/clawradar")
        #expect(location.keyFile == "/home/me/.local/state/clawradar/sealing.key")
    }

    /// systemd.exec(5): several folders stand there with colons between; a service has no home.
    @Test func aServicesFoldersAreTaken() throws {
        let variables = ["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "CREDENTIALS_DIRECTORY": "/run/credentials/a"]
        let location = try StoreLocation.standard(environment: variables)
        #expect(location.folder == "/var/lib/a/store")
        #expect(location.keyFile == "/run/credentials/a/clawradar-key")
        #expect(location.keyCredential == nil)
        let home = try StoreLocation.standard(environment: variables.merging(["HOME": "/root"]) { $1 })
        #expect(home.keyFile == "/root/.local/state/clawradar/sealing.key")
        #expect(home.keyCredential == "/run/credentials/a/clawradar-key")
    }

    @Test(arguments: [[:], ["STATE_DIRECTORY": "/var/lib/a"], ["CREDENTIALS_DIRECTORY": "/run/a"]])
    func anEnvironmentWithoutAPlaceIsSaid(environment: [String: String]) {
        #expect(code { _ = try StoreLocation.standard(environment: environment) } == .noLocation)
    }
}
