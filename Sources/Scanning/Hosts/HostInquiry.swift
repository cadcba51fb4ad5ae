internal import DNSSD
internal import GatewayClient
internal import NIOCore
internal import NIOPosix

/// Asks one host itself which services it has, from a port of its own (RFC 6762 §5.5): whoever sends records in its name to
/// everybody sees neither the question's id nor its port.
///
/// That there is no socket, no way or no answer is no error: nothing was learned.
struct HostInquiry: Sendable {
    /// The number of times that it is asked in all, as a packet may be lost. Each time from another port: where several
    /// responders share port 5353, the system chooses by the ports which one hears it.
    static let attempts = 2

    /// The longest packet that is taken in: that of multicast DNS (RFC 6762 §17).
    private static let packetBytes = 9_000

    /// The most packets that are kept until they are looked at.
    private static let mostPackets = 16

    /// The responder to ask.
    let responder: Endpoint

    /// The types to ask for.
    let types: [ServiceType]

    /// The time that each answer is waited for.
    let patience: Duration

    init(_ address: IPAddress, types: [ServiceType]) {
        self.init(Endpoint(address: address, port: 5_353), types: types)
    }

    init(_ responder: Endpoint, types: [ServiceType], patience: Duration = .milliseconds(500)) {
        self.responder = responder
        self.types = types
        self.patience = patience
    }

    /// Asks, and hands over what each answer says as it comes.
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
        let end = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) { continuation.finish() }
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

/// Hands over packets; the socket is connected, so that the system lets through those of its peer alone.
private final class PacketReceiver: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let packets: AsyncStream<[UInt8]>.Continuation

    init(_ packets: AsyncStream<[UInt8]>.Continuation) {
        self.packets = packets
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        packets.yield(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    /// Nobody listens there.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        packets.finish()
    }

    func channelInactive(context: ChannelHandlerContext) {
        packets.finish()
    }
}
