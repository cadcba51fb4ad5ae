import DNSMessages
import DNSSD
import GatewayClient
import GatewayProtocol
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Scanning

/// Asking a host itself, over loopback.
@Suite(.timeLimit(.minutes(1))) struct HostInquiryTests {
    /// Somebody who answers questions over UDP as he likes.
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

    /// Asks somebody, and says what was learned and what he was asked.
    private func ask(
        _ types: [ServiceType],
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
        let inquiry = HostInquiry(
            Endpoint(address: Self.loopback, port: port),
            types: types,
            answerTimeout: .milliseconds(100)
        )
        var services: [HostService] = []
        await inquiry.run { services += $0 }
        try await channel.close()
        return (services, responder.questions.withLock { $0 })
    }

    /// The answer of a responder that has one instance, with a question, an id and an SRV record as wished.
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

    @Test func aHostSaysWhatItHas() async throws {
        let (services, questions) = try await ask([.openClaw]) {
            [Self.answer("Kitchen", to: $0), Self.answer("Another", to: $0)]
        }
        #expect(services == [HostService(instance: Samples.instance("Kitchen"), port: 3_000)], "the first one counts")
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

    @Test func withoutSRV() async throws {
        let (services, _) = try await ask([.openClaw]) { [Self.answer("Kitchen", to: $0, port: nil)] }
        #expect(services == [HostService(instance: Samples.instance("Kitchen"), port: nil)])
    }

    /// Each type has a packet of its own, and those that were not answered are asked for once more.
    @Test func eachTypeIsAskedFor() async throws {
        let bridge = try ServiceType("_clawdbot-bridge._tcp")
        let (services, questions) = try await ask([.openClaw, bridge]) { question in
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

    /// A packet that is no answer to this question is not believed, and does not keep the right one out.
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

    @Test func silence() async throws {
        let start = ContinuousClock.now
        let (services, questions) = try await ask([.openClaw]) { _ in [] }
        #expect(services.isEmpty)
        #expect(questions.count == 2)
        #expect(Set(questions.map(\.id)).count <= 2 && !questions.contains { $0.id == 0 })
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    /// Nobody has the port: it is no error, and nobody waits for long.
    @Test func nobodyThere() async throws {
        let channel = try await DatagramBootstrap(group: try GatewayLoops.group()).bind(host: "127.0.0.1", port: 0)
            .get()
        let port = UInt16(channel.localAddress?.port ?? 0)
        try await channel.close()
        let start = ContinuousClock.now
        let inquiry = HostInquiry(
            Endpoint(address: Self.loopback, port: port),
            types: [.openClaw],
            answerTimeout: .seconds(20)
        )
        await inquiry.run { _ in Issue.record("somebody has answered") }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// A packet may name any number of services.
    @Test func asManyAsAreBelieved() throws {
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
