import Testing

@testable import Pairing

@Suite struct StoreLocationTests {
    /// Without any other variable, both places are in the home folder.
    @Test func theHomeFolderIsTheLastResort() throws {
        let location = try StoreLocation.standard(environment: ["HOME": "/home/me"])
        #expect(location.database == "/home/me/.local/share/clawradar/pairings.sqlite")
        #expect(location.keyFile == "/home/me/.local/state/clawradar/sealing.key")
        #expect(location.keyCredential == nil)
    }

    /// The folders of the XDG Base Directory Specification are used.
    @Test func theFoldersOfTheDesktopAreTaken() throws {
        let location = try StoreLocation.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"]
        )
        #expect(location.folder == "/data/clawradar")
        #expect(location.keyFile == "/state/clawradar/sealing.key")
    }

    /// Relative paths are ignored, as the XDG Base Directory Specification demands.
    @Test func relativePathsArePassedOver() throws {
        let location = try StoreLocation.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "", "STATE_DIRECTORY": "x"]
        )
        #expect(location.folder == "/home/me/.local/share/clawradar")
        #expect(location.keyFile == "/home/me/.local/state/clawradar/sealing.key")
    }

    /// The folders of a systemd service are used. `STATE_DIRECTORY` may contain several folders separated by colons,
    /// and a service may have no home (systemd.exec(5)).
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

    /// An environment that names no place for the database and the key is an error.
    @Test(arguments: [[:], ["STATE_DIRECTORY": "/var/lib/a"], ["CREDENTIALS_DIRECTORY": "/run/a"]])
    func anEnvironmentWithoutAPlaceIsSaid(environment: [String: String]) {
        #expect(code { _ = try StoreLocation.standard(environment: environment) } == .noLocation)
    }
}
