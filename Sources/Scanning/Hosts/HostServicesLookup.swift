internal import DNSSD
internal import GatewayClient
internal import NIOCore
internal import NIOPosix

/// A direct query to one host for its services, from a port of its own (RFC 6762 §5.5): a forger who multicasts records
/// in the host's name sees neither the id of the query nor its port.
///
/// A missing socket, route or answer is not an error: nothing was learned.
struct HostServicesLookup: Sendable {
    /// The number of attempts in all, as a packet may be lost. Each uses another port: where several responders share
    /// port 5353, the system chooses by the ports which of them receives the query.
    static let attempts = 2

    /// The size of the longest packet that is accepted: that of multicast DNS (RFC 6762 §17).
    private static let packetBytes = 9_000

    /// The maximum number of packets that are kept until they are read.
    private static let mostPackets = 16

    /// The responder to query.
    let responder: Endpoint

    /// The service types to query for.
    let types: [ServiceType]

    /// The time to wait for answers in each attempt.
    let answerTimeout: Duration

    init(_ address: IPAddress, types: [ServiceType]) {
        self.init(Endpoint(address: address, port: 5_353), types: types)
    }

    init(_ responder: Endpoint, types: [ServiceType], answerTimeout: Duration = .milliseconds(500)) {
        self.responder = responder
        self.types = types
        self.answerTimeout = answerTimeout
    }

    /// Sends the query, and hands over the services of each answer as it comes.
    func run(_ hostReported: ([HostService]) async -> Void) async {
        var open = types
        for _ in 0..<Self.attempts where !open.isEmpty && !Task.isCancelled {
            var question = HostServicesQuestion(open, id: .random(in: 1...UInt16.max))
            await ask(&question, hostReported)
            open = question.openTypes
        }
    }

    private func ask(_ question: inout HostServicesQuestion, _ hostReported: ([HostService]) async -> Void) async {
        guard let group = try? GatewayLoops.group(), let target = try? SocketAddress(responder) else { return }
        let (packets, continuation) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(Self.mostPackets)
        )
        let channel: any Channel
        do {
            channel = try await DatagramBootstrap(group: group)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.packetBytes))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(PacketReceiver(continuation))
                    }
                }
                .connect(to: target)
                .get()
        } catch {
            return
        }
        let end = channel.eventLoop.scheduleTask(in: TimeAmount(answerTimeout)) { continuation.finish() }
        for packet in question.packets { channel.write(ByteBuffer(bytes: packet), promise: nil) }
        channel.flush()
        for await packet in packets {
            let services = question.take(packet)
            if !services.isEmpty { await hostReported(services) }
            if question.isAnswered { break }
        }
        end.cancel()
        try? await channel.close()
    }
}

/// A handler that hands over packets. The socket is connected, so that the system accepts packets of its peer only.
private final class PacketReceiver: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let packets: AsyncStream<[UInt8]>.Continuation

    init(_ packets: AsyncStream<[UInt8]>.Continuation) {
        self.packets = packets
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        packets.yield(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    /// Ends the packets, since no responder listens there.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        packets.finish()
    }

    func channelInactive(context: ChannelHandlerContext) {
        packets.finish()
    }
}
