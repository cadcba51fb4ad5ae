import DNSSD
import GatewayClient
import GatewayProtocol
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Scanning

/// Direct queries of a host for its services, over loopback.
@Suite(.timeLimit(.minutes(1))) struct HostServicesLookupTests {
    /// A UDP server that answers queries as the test decides.
    private final class Responder: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        let questions = Mutex<[DNSMessage]>([])
        private let answers: @Sendable (DNSMessage) -> [[UInt8]]

        init(_ answers: @escaping @Sendable (DNSMessage) -> [[UInt8]]) {
            self.answers = answers
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            guard let message = try? DNSMessage(decoding: Array(envelope.data.readableBytesView)) else { return }
            questions.withLock { $0.append(message) }
            for answer in answers(message) {
                let packet = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: answer))
                context.writeAndFlush(NIOAny(packet), promise: nil)
            }
        }
    }

    private static let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))

    /// Queries a server, and returns the services that were reported and the queries that it received.
    private func ask(
        _ types: [ServiceType],
        timeout: Duration = .seconds(30),
        _ answers: @escaping @Sendable (DNSMessage) -> [[UInt8]]
    ) async throws -> (services: [HostService], questions: [DNSMessage]) {
        let responder = Responder(answers)
        let channel = try await DatagramBootstrap(group: try GatewayLoops.group())
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(responder) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = UInt16(channel.localAddress?.port ?? 0)
        let inquiry = HostServicesLookup(
            Endpoint(address: Self.loopback, port: port),
            types: types,
            answerTimeout: timeout
        )
        var services: [HostService] = []
        await inquiry.run { services += $0 }
        try await channel.close()
        return (services, responder.questions.withLock { $0 })
    }

    /// Returns the response of a host with one instance; its ID, question, flags and SRV record can be set.
    private static func answer(
        _ name: String,
        to question: DNSMessage,
        id: UInt16? = nil,
        asked: DomainName? = nil,
        port: UInt16? = 3_000,
        flags: DNSFlags = .authoritativeResponse
    ) -> [UInt8] {
        var message = DNSMessage(id: id ?? question.id, flags: flags, questions: question.questions)
        if let asked { message.questions = [DNSQuestion(name: asked, type: .ptr)] }
        guard let type = message.questions.first?.name, let instance = try? type.prepending(Array(name.utf8)),
            let host = try? DomainName(escaped: "host.local")
        else { return [] }
        message.answers = [DNSRecord(name: type, ttl: 10, data: .ptr(instance))]
        if let port {
            message.additionals = [DNSRecord(name: instance, ttl: 10, data: .srv(SRVData(port: port, target: host)))]
        }
        return message.encoded().bytes
    }

    /// A host is asked for PTR records by a query that wants a unicast response, and only its first response counts.
    @Test func aHostSaysWhatItHas() async throws {
        let (services, questions) = try await ask([.openClaw]) {
            [Self.answer("Kitchen", to: $0), Self.answer("Another", to: $0)]
        }
        #expect(
            services == [HostService(instance: Samples.instance("Kitchen"), port: 3_000)],
            "the first response counts"
        )
        #expect(questions.count == 1)
        #expect(
            questions.first?.questions == [
                DNSQuestion(
                    name: try DomainName(escaped: "_openclaw._tcp.local"),
                    type: .ptr,
                    isUnicastWanted: true
                )
            ]
        )
    }

    /// A response without an SRV record reports a service without a port.
    @Test func withoutSRV() async throws {
        let (services, _) = try await ask([.openClaw]) { [Self.answer("Kitchen", to: $0, port: nil)] }
        #expect(services == [HostService(instance: Samples.instance("Kitchen"), port: nil)])
    }

    /// Each type is asked for in a query of its own, and queries without a response are repeated once.
    @Test func eachTypeIsAskedFor() async throws {
        let bridge = try ServiceType("_clawdbot-bridge._tcp")
        let (services, questions) = try await ask([.openClaw, bridge], timeout: .milliseconds(500)) { question in
            guard question.questions.first?.name.escaped == "_openclaw._tcp.local" else { return [] }
            return [Self.answer("Kitchen", to: question)]
        }
        #expect(services.map(\.instance) == [Samples.instance("Kitchen")])
        #expect(
            questions.map { $0.questions.map(\.name.escaped) } == [
                ["_openclaw._tcp.local"], ["_clawdbot-bridge._tcp.local"], ["_clawdbot-bridge._tcp.local"],
            ]
        )
    }

    /// Packets that do not answer the query are ignored, and do not keep the right response from being accepted.
    @Test func wrongAnswers() async throws {
        let other = try DomainName(escaped: "_other._tcp.local")
        let (services, questions) = try await ask([.openClaw]) { question in
            [
                Self.answer("Wrong id", to: question, id: question.id ^ 1),
                Self.answer("Wrong question", to: question, asked: other),
                Self.answer("No response", to: question, flags: .query),
                Self.answer("Refusal", to: question, flags: DNSFlags(rawValue: 0x8405)),
                [1, 2, 3],
                [],
                Self.answer("Right", to: question),
            ]
        }
        #expect(services.map(\.instance.name) == ["Right"])
        #expect(questions.count == 1)
    }

    /// A silent host is asked twice, and each query waits for its whole time-out.
    @Test func silence() async throws {
        let start = ContinuousClock.now
        let (services, questions) = try await ask([.openClaw], timeout: .milliseconds(100)) { _ in [] }
        #expect(services.isEmpty)
        #expect(questions.count == 2)
        #expect(!questions.contains { $0.id == 0 })
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    /// A closed port ends the query without an error, and long before the time-out.
    @Test func nobodyThere() async throws {
        let channel = try await DatagramBootstrap(group: try GatewayLoops.group()).bind(host: "127.0.0.1", port: 0)
            .get()
        let port = UInt16(channel.localAddress?.port ?? 0)
        try await channel.close()
        let start = ContinuousClock.now
        let inquiry = HostServicesLookup(
            Endpoint(address: Self.loopback, port: port),
            types: [.openClaw],
            answerTimeout: .seconds(20)
        )
        await inquiry.run { _ in Issue.record("a closed port has answered") }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// The number of services that are taken from one response is limited, since a packet may name any number.
    @Test func servicesOfOneResponseAreLimited() throws {
        var question = HostServicesQuestion([.openClaw], id: 7)
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        let message = DNSMessage(
            id: 7,
            flags: .authoritativeResponse,
            answers: try (0..<1_000).map {
                DNSRecord(name: type, ttl: 10, data: .ptr(try type.prepending(Array("S\($0)".utf8))))
            }
        )
        #expect(question.take(message.encoded().bytes).count == HostServicesQuestion.mostServices)
        #expect(question.isAnswered)
        #expect(question.take(message.encoded().bytes).isEmpty)
    }
}
