import DNSSD
import GatewayProtocol
import GatewaySamples
import HTTPTypes
import HummingbirdCore
import NIOCore
import Scanning
import Synchronization
import Testing

@testable import Agent
@testable import AgentAPI

/// Documents with a crowd in them, which are written piece by piece.
@Suite(.timeLimit(.minutes(2))) struct PagedDocumentTests {
    private final class Pieces: Sendable {
        let texts = Mutex<[String]>([])
    }

    private struct Writer: ResponseBodyWriter {
        let pieces: Pieces

        func write(_ buffer: ByteBuffer) { pieces.texts.withLock { $0.append(String(buffer: buffer)) } }

        consuming func finish(_ trailingHeaders: HTTPFields?) {}
    }

    private static func written(_ document: PagedDocument) async throws -> [String] {
        let pieces = Pieces()
        var writer: any ResponseBodyWriter = Writer(pieces: pieces)
        try await document.write(after: "<", before: ">", to: &writer)
        return pieces.texts.withLock(\.self)
    }

    /// The text is that of the same document as a whole, in pieces of bounded size, and a page is not fetched before the
    /// pieces before it are taken.
    @Test(arguments: [0, 1, 5, 900]) func itIsTheSameText(pages: Int) async throws {
        let value = JSONValue.object(["text": .string(String(repeating: "é\"", count: 200)), "none": .null])
        let document = PagedDocument([
            "z": .value(.bool(true)), "list": .list(pages: pages) { $0 % 3 == 0 ? [] : [value, .string("\($0)")] },
            "a": .value(.array([])),
        ])
        let all = (0..<pages).flatMap { page -> [JSONValue] in page % 3 == 0 ? [] : [value, .string("\(page)")] }
        let whole = JSONValue.object(["z": .bool(true), "list": .array(all), "a": .array([])])
        let pieces = try await Self.written(document)
        #expect(pieces.joined() == "<\(String(decoding: whole.encoded, as: UTF8.self))>")
        #expect(pieces.allSatisfy { $0.utf8.count < 40_000 })
        #expect(pieces.count == 1 || pages > 5)
        #expect(try await Self.written(PagedDocument([:])) == ["<{}>"])
    }

    /// A crowd is answered with the same keys as few, and everybody in it is told: as a document, to a reader of events, and to
    /// a view of this program.
    @Test func aCrowdIsAnsweredInFull() async throws {
        try await AgentStage.withAgent { agent, client in
            func ask(_ target: String) async throws -> JSONValue {
                let body = try await AgentStage.ask(client, target).body
                return try JSONValue(parsing: body, limits: JSONLimits(maximumBytes: 16_777_216))
            }
            func keys(_ value: JSONValue) -> Set<String> { Set((value.object ?? [:]).keys) }
            let few = (try await ask("/api/v1/gateways"), try await ask("/api/v1/services"))
            for number in 0..<1_500 {
                let service = try Fixture.service(name: "service \(number)", port: UInt16(2_000 + number))
                await agent.constellation.apply(.serviceFound(service))
            }
            let crowd = (try await ask("/api/v1/gateways"), try await ask("/api/v1/services"))
            #expect(keys(few.0) == keys(crowd.0) && keys(few.1) == keys(crowd.1))
            let names = Set((0..<1_500).map { "service \($0)" })
            let rows = await agent.constellation.gateways
            #expect(crowd.0["others"]?.array?.count == rows.count)
            #expect(Set((crowd.1["services"]?.array ?? []).compactMap { $0["instance"]?.string }) == names)
            for query in ["", "?form=recording"] {
                let reader = EventReader(client, query)
                let first = try #require(try await reader.next())
                reader.end()
                let data = try JSONValue(
                    parsing: Array(first.data.utf8),
                    limits: JSONLimits(maximumBytes: 16_777_216)
                )
                #expect(data["services"]?.array?.count == 1_500)
                #expect(((data["others"] ?? data["gateways"])?.array?.count ?? 0) == rows.count)
                #expect(first.identifier == crowd.0["position"]?.string)
            }
        }
    }
}
