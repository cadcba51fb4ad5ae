internal import DNSSD
internal import HostSystem
internal import Testing

@testable internal import Discovery

/// Protects the answers that a question gets from a server: none of somebody who guesses, and a reason where there is none.
@Suite("DNSTransport", .timeLimit(.minutes(1))) struct DNSTransportTests {
    private static let question: [UInt8] = {
        let name = DomainName(checkedWire: [4] + Array("hOst".utf8) + [3] + Array("lan".utf8) + [0])
        return DNSMessage(id: 0x1234, questions: [DNSQuestion(name: name, type: .a)]).encoded().bytes
    }()

    private static func answer(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes = question
        bytes[2] |= 0x80
        change(&bytes)
        return bytes
    }

    @Test("takes for an answer what repeats id, opcode and question, letter by letter, or reports an error without it")
    func matching() {
        #expect(Self.answer().isDNSAnswer(to: Self.question))
        #expect(!Self.question.isDNSAnswer(to: Self.question))
        #expect(!Self.answer { $0[0] ^= 1 }.isDNSAnswer(to: Self.question))
        #expect(!Self.answer { $0[2] |= 0x28 }.isDNSAnswer(to: Self.question))
        #expect(!Self.answer { $0[14] ^= 0x20 }.isDNSAnswer(to: Self.question))
        #expect(!Self.answer { $0[$0.count - 3] = 28 }.isDNSAnswer(to: Self.question))
        #expect(!Self.answer { $0.removeLast() }.isDNSAnswer(to: Self.question))
        #expect(
            !Self.answer {
                $0 = Array($0[..<12])
                $0[5] = 0
            }.isDNSAnswer(to: Self.question)
        )
        #expect(
            Self.answer {
                $0 = Array($0[..<12])
                $0[5] = 0
                $0[3] = 1
            }.isDNSAnswer(to: Self.question)
        )
        #expect(![UInt8]().isDNSAnswer(to: Self.question))
        for count in 0..<Self.question.count {
            #expect(!Self.answer().isDNSAnswer(to: Array(Self.question[..<count])))
        }
    }

    /// A server on loopback that answers each message with these packets.
    private func withServer(
        _ answers: [[UInt8]],
        _ body: (DNSTransport, Endpoint) async throws -> Void
    ) async throws {
        let loop = try SocketLoop(name: "test")
        let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
        let server = try LoopbackServer(SocketAddress(loopback, port: 0), answers)
        loop.later { [weak loop] in loop?.watch(server.descriptor) { server.answer() } }
        try await body(try DNSTransport(), Endpoint(address: loopback, port: server.port))
        await withCheckedContinuation { continuation in
            loop.later { [weak loop] in
                loop?.unwatch(server.descriptor)
                continuation.resume()
            }
        }
    }

    @Test("waits past what does not match, and returns the bytes of the answer")
    func answered() async throws {
        let forged = (1...9).map { number in Self.answer { $0[1] = UInt8(number) } }
        try await withServer(forged + [Self.answer { $0[3] = 0x80 }]) { transport, server in
            let answer = try await transport.exchange(Self.question, with: server, over: .udp, within: .seconds(20))
            #expect(answer == Self.answer { $0[3] = 0x80 })
        }
    }

    @Test("ends a question that somebody guesses at")
    func forged() async throws {
        let forged = (0..<100).map { number in Self.answer { $0[1] = UInt8(number) } }
        try await withServer(forged) { transport, server in
            let error = await #expect(throws: DNSExchangeError.self) {
                try await transport.exchange(Self.question, with: server, over: .udp, within: .seconds(20))
            }
            #expect(error?.code == .forged)
        }
    }

    @Test(
        "says at once that nothing listens, and that nothing came in time",
        arguments: [.udp, .tcp] as [DNSTransport.Carrier]
    )
    func silent(carrier: DNSTransport.Carrier) async throws {
        let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
        let transport = try DNSTransport()
        let refused = await #expect(throws: DNSExchangeError.self) {
            let nowhere = Endpoint(address: loopback, port: 1)
            _ = try await transport.exchange(Self.question, with: nowhere, over: carrier, within: .seconds(20))
        }
        #expect(refused?.code == .notListening)
        guard carrier == .udp else { return }
        try await withServer([]) { transport, server in
            let late = await #expect(throws: DNSExchangeError.self) {
                try await transport.exchange(Self.question, with: server, over: .udp, within: .milliseconds(1))
            }
            #expect(late?.code == .noAnswer)
        }
    }

    @Test("ends with its task")
    func cancelled() async throws {
        try await withServer([]) { transport, server in
            let task = Task {
                try await transport.exchange(Self.question, with: server, over: .udp, within: .seconds(50))
            }
            task.cancel()
            let result = await task.result
            #expect(throws: DNSExchangeError.self) { try result.get() }
        }
    }
}

/// A UDP port that answers each message with the same packets.
private final class LoopbackServer: Sendable {
    private let socket: UDPSocket
    private let answers: [[UInt8]]
    let port: UInt16

    init(_ address: SocketAddress, _ answers: [[UInt8]]) throws {
        let socket = try UDPSocket(.ipv4)
        try socket.bind(to: address)
        self.port = socket.port ?? 0
        self.socket = socket
        self.answers = answers
    }

    var descriptor: CInt { socket.descriptor }

    func answer() {
        var reader = DatagramReader()
        while case .datagram(let datagram) = reader.read(socket, interface: nil) {
            for answer in answers { try? socket.send(answer, to: datagram.source) }
        }
    }
}
