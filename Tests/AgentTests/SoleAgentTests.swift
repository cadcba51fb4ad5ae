import Foundation
import Pairing
import Testing

@testable import Agent

/// One agent for each user, whatever is removed while it runs.
@Suite struct SoleAgentTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-sole-\(UUID().uuidString)")

    private var store: StoreLocation {
        StoreLocation(folder: folder.appending(path: "store").path, keyFile: folder.appending(path: "key").path)
    }

    private func place(_ name: String) -> AgentPlace { AgentPlace(folder: folder.appending(path: name).path) }

    private func agent(_ name: String) -> SoleAgent {
        let store = store
        return SoleAgent(place(name)) { () throws(StoreError) in store }
    }

    /// An agent with another folder for its socket, as one that a service manager has started, does not run beside it: it
    /// would tell everything once more.
    @Test func anotherFolderOfTheSocketMakesNoSecondAgent() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = agent("one")
        try first.takePlace()
        try first.takeStore()
        let second = agent("two")
        try second.takePlace()
        let error = #expect(throws: AgentError.self) { try second.takeStore() }
        #expect(error?.code == .alreadyRuns)
        #expect(error?.description.contains("(process \(getpid()))") == true)
        // With the end of the first one, it has what it needs.
        first.release()
        try second.takeStore()
        second.release()
    }

    /// Whoever asks finds it by its store, whatever the environment says of sockets.
    @Test func itIsFoundByItsStore() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(AgentPlace.socket(ofAgentWith: store) == nil)
        let agent = agent("one")
        try agent.takeStore()
        #expect(AgentPlace.socket(ofAgentWith: store) == place("one").socket)
        agent.release()
        #expect(AgentPlace.socket(ofAgentWith: store) == nil)
    }

    /// The file of the lock can be removed, and makes no room for a second agent; the first one makes it anew.
    @Test func aRemovedFileMakesNoSecondAgent() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = agent("one")
        try first.takePlace()
        try first.takeStore()
        try FileManager.default.removeItem(atPath: "\(store.folder)/agent.lock")
        try FileManager.default.removeItem(atPath: place("one").folder)
        let second = agent("one")
        try second.takePlace()
        #expect(throws: AgentError.self) { try second.takeStore() }
        second.release()
        try first.renewPlace()
        try first.takeStore()
        #expect(AgentPlace.socket(ofAgentWith: store) == place("one").socket)
        #expect(throws: AgentError.self) { try agent("one").takePlace() }
        first.release()
    }

    /// With a home that several hosts share, the other agent may be on another one, where it has to be asked and ended.
    @Test func theOtherAgentMayBeOnAnotherHost() {
        let elsewhere = AgentError.alreadyRuns(note: "12 clawradar agent on attic\n/run/x/agent.sock\n", on: "kitchen")
        #expect(elsewhere.description.contains("already (process 12 on the host attic). "), "\(elsewhere)")
        #expect(elsewhere.description.contains("`clawradar agent status`, on attic, shows"), "\(elsewhere)")
        for note in ["12 clawradar agent on kitchen\n/run/x/agent.sock\n", "12 clawradar agent\n/run/x/agent.sock\n"] {
            let here = AgentError.alreadyRuns(note: note, on: "kitchen")
            #expect(here.description.contains("already (process 12). `clawradar agent status` shows"), "\(here)")
        }
        #expect(AgentError.alreadyRuns(note: "", on: "kitchen").description.contains("runs already. `"))
    }

    /// A path that the system does not take is said at once, and not as a socket that cannot be made.
    @Test func aLongPathIsSaid() {
        let place = AgentPlace(folder: "/tmp/" + String(repeating: "x", count: 100))
        let error = #expect(throws: AgentError.self) { try place.take() }
        #expect(error?.code == .noPlace)
        #expect(error?.description.contains("expected a path of at most 102 bytes, found one of 116") == true)
    }
}
