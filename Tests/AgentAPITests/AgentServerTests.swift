import DNSSD
import Foundation
import GatewayProtocol
import GatewaySamples
import Glibc
import Pairing
import Reports
import Scanning
import Synchronization
import Testing

@testable import Agent
@testable import AgentAPI

/// The API of an agent whose parts do not run, at a socket in a folder of its own.
@Suite(.timeLimit(.minutes(1))) struct AgentServerTests {
    private static func json(_ answer: AgentAnswer) throws -> JSONValue {
        try JSONValue(parsing: answer.body, limits: JSONLimits(maximumBytes: 1_048_576))
    }

    /// A part that runs without its socket would say that it works, and nobody could ask it.
    @Test func aSocketThatCannotBeMadeEndsThePart() async throws {
        let folder = "/tmp/clawradar-api-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        var configuration = AgentConfiguration(version: "9.8.7", environment: [:])
        configuration.place = AgentPlace(folder: folder)
        let path = configuration.place.socket
        try #require(mkdir(folder, 0o700) == 0 && mkdir(path, 0o700) == 0)
        defer {
            rmdir(path)
            rmdir(folder)
        }
        let part = AgentServer(Agent(configuration)).part
        let end = await #expect(throws: PartEnd.self) { try await part.run(PartReporter { _ in }) }
        #expect(end?.description.hasPrefix("\(path) cannot be made: ") == true, "\(String(describing: end))")
        #expect(access("\(path)~", F_OK) != 0)
    }

    private static let setpriv = "/usr/bin/setpriv"

    /// Another user who could open the socket is not answered, and not left waiting, and the agent goes on.
    @Test(.enabled(if: geteuid() == 0 && access(setpriv, X_OK) == 0, "takes root, to be another user"))
    func anotherUserIsNotAnswered() async throws {
        try await AgentStage.withAgent { agent, client in
            let place = agent.configuration.place
            try #require(chmod(place.folder, 0o755) == 0 && chmod(place.socket, 0o666) == 0)
            let process = Process()
            process.executableURL = URL(filePath: Self.setpriv)
            process.arguments = [
                "--reuid=65534", "--regid=65534", "--clear-groups", "curl", "--silent", "--max-time", "10",
                "--unix-socket", place.socket, "http://localhost/health/live",
            ]
            let output = Pipe()
            process.standardOutput = output
            let status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
            #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
            // CURLE_COULDNT_CONNECT where the connection is closed before curl has looked at it, CURLE_GOT_NOTHING,
            // CURLE_SEND_ERROR or CURLE_RECV_ERROR after that. It would be 28 if the connection was not closed.
            #expect([7, 52, 55, 56].contains(status), "\(status)")
            #expect(try await AgentStage.ask(client, "/health/live").status == 200)
        }
    }

    @Test func whatItKnowsIsAnsweredWithItsVersion() async throws {
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let answer = try await AgentStage.ask(client, "/api/v1/services")
            #expect(answer.status == 200)
            #expect(answer.version == "9.8.7")
            #expect(answer.fields["content-type"] == "application/json")
            let document = try Self.json(answer)
            #expect(document["services"]?.array?.map { $0["instance"]?.string } == ["Kitchen"])
            #expect(document["schema"]?.int == 2)
            #expect(try await AgentStage.ask(client, "/health/live").status == 200)
        }
    }

    @Test func problemsAreDocumentsOfRFC9457() async throws {
        try await AgentStage.withAgent { _, client in
            let answer = try await AgentStage.ask(client, "/nothing")
            #expect(answer.status == 404)
            #expect(answer.fields["content-type"] == "application/problem+json")
            #expect(answer.version == "9.8.7")
            #expect(try Self.json(answer)["status"]?.int == 404)
            let refused = try await AgentStage.ask(client, "/api/v1/gateways", fields: ["Origin": "http://localhost"])
            #expect(refused.status == 403)
            // The store is not open, and the answer says so.
            let sealed = try await AgentStage.ask(client, "/api/v1/pairings")
            #expect(sealed.status == 503)
            #expect(sealed.fields["retry-after"] == "1")
        }
    }

    @Test func aBodyThatIsTooLongIsRefused() async throws {
        try await AgentStage.withAgent { _, client in
            let body = [UInt8](repeating: 0x20, count: Gate.bodyLimit + 1)
            // The agent closes the connection, and may do so before the body was sent.
            let answer = try? await AgentStage.ask(client, "/api/v1/scan", method: "POST", body: body)
            #expect(answer == nil || answer?.status == 413)
            let live = try await AgentStage.ask(client, "/health/live")
            #expect(live.status == 200)
        }
    }

    @Test func eventsBeginWithASnapshotAndGoOnWithChanges() async throws {
        try await AgentStage.withAgent { agent, client in
            let kitchen = try Fixture.service(name: "Kitchen")
            await agent.constellation.apply(.serviceFound(kitchen))
            let events = EventReader(client)
            let first = try #require(try await events.next())
            #expect(first.name == "snapshot")
            let snapshot = try JSONValue(parsing: Array(first.data.utf8))
            #expect(snapshot["services"]?.array?.count == 1)
            let studio = try Fixture.service(name: "Studio")
            await agent.constellation.apply(.serviceFound(studio))
            let found = try #require(try await events.next())
            #expect(found.name == "service")
            #expect(try JSONValue(parsing: Array(found.data.utf8))["service"]?["instance"]?.string == "Studio")
            await agent.constellation.finish()
        }
    }

    /// A view gets one event for each update, from which it has all that is shown.
    @Test func aViewGetsUpdatesAsTheyAre() async throws {
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let events = EventReader(client, "?form=recording")
            let first = try #require(try await events.next())
            #expect(first.name == "update" && first.identifier != nil)
            let snapshot = try ConstellationUpdate(recording: JSONValue(parsing: Array(first.data.utf8)))
            #expect(await snapshot == .snapshot(agent.constellation.snapshot))
            let studio = try Fixture.service(name: "Studio")
            await agent.constellation.apply(.serviceFound(studio))
            let second = try #require(try await events.next())
            let found = try ConstellationUpdate(recording: JSONValue(parsing: Array(second.data.utf8)))
            guard case .changes(let changes, _) = found else {
                Issue.record("expected changes, found \(found)")
                return
            }
            #expect(changes.contains(.service(.found(studio))))
            // Reading ends when it is asked to, also while it waits.
            async let last = events.next()
            events.end()
            #expect(try await last == nil)
            #expect(try await AgentStage.ask(client, "/api/v1/events?form=other").status == 400)
        }
    }

    /// An agent that hangs is noticed: one that works sends something, if only a comment.
    @Test func silenceEndsTheReading() async throws {
        #expect(EventStream.heartbeat * 2 < AgentEvents.longestSilence)
        #expect(EventText.comment.hasPrefix(":") && EventText.comment.hasSuffix("\n\n"))
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let events = EventReader(client)
            #expect(try await events.next()?.name == "snapshot")
            await #expect(throws: AgentClientError.timedOut) { try await events.next(silence: .milliseconds(50)) }
        }
    }

    /// A reader that has shown the network before gets nothing before the agent knows it: its parts do not run here.
    @Test func whoeverWaitsForTheFirstLookGetsNothingBefore() async throws {
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let events = EventReader(client, "?looked=true")
            await #expect(throws: AgentClientError.timedOut) { try await events.next(silence: .milliseconds(300)) }
            #expect(try await events.next()?.name == "snapshot")
        }
    }

    /// A view learns that the first look is over after what was there, so that what has not answered is away: here no part
    /// runs, and it is waited for as long as it is at most.
    @Test func aViewIsToldThatTheFirstLookIsOver() async throws {
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let events = EventReader(client, "?form=recording")
            #expect(try await events.next()?.name == "update")
            #expect(try await events.next()?.name == AgentEvents.looked)
        }
    }

    @Test func aReaderResumesAfterItsLastEventAndGetsASnapshotOtherwise() async throws {
        try await AgentStage.withAgent { agent, client in
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Kitchen")))
            let snapshot = try #require(try await EventReader(client).next())
            let position = try #require(snapshot.identifier)
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Studio")))
            let resumed = try #require(try await EventReader(client, after: position).next())
            #expect(resumed.name == "service")
            // A position of another run of the agent, and one that is none.
            for other in ["1-\(position.split(separator: "-")[1])", "x", "-", ""] {
                let event = try await EventReader(client, after: other).next()
                #expect(event?.name == "snapshot", "\(other)")
            }
        }
    }

    @Test func the65thIsToldToComeBackAndThe64LoseNothing() async throws {
        try await AgentStage.withAgent { agent, client in
            var readers: [EventReader] = []
            for _ in 0..<ConnectionShares.most {
                let reader = EventReader(client)
                #expect(try await reader.next()?.name == "snapshot")
                readers.append(reader)
            }
            let answer = try await AgentStage.ask(client, "/health/live")
            #expect(answer.status == 503)
            #expect(answer.fields["retry-after"] == "1")
            #expect(answer.version == "9.8.7")
            // Also to whoever has not asked yet when the connection is closed.
            var quickest = Duration.seconds(60)
            for _ in 0..<200 {
                let start = ContinuousClock.now
                #expect(try await AgentStage.ask(client, "/health/live").status == 503)
                quickest = min(quickest, .now - start)
            }
            // A busy machine may be late for one of them.
            #expect(quickest < .milliseconds(500))
            await agent.constellation.apply(.serviceFound(try Fixture.service(name: "Studio")))
            for reader in readers { #expect(try await reader.next()?.name == "service") }
            // One that goes makes room, although no event comes that could not be written to it.
            readers.removeLast()
            var last = answer
            while last.status == 503 { last = try await AgentStage.ask(client, "/health/live") }
            #expect(last.status == 200)
        }
    }
}
